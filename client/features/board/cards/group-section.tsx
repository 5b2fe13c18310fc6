import { memo, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { dateInWords, formatLocale } from '../../../lib/words/local-time.ts';
import type { LastClaim } from '../../../state/last-claim.ts';
import styles from '../board.module.css';
import type { Group } from '../view/board-view.ts';
import { type DayShown, SpotCard } from './spot-card.tsx';
import { SpotTile } from './spot-tile.tsx';

interface GroupSectionProps extends DayShown {
  group: Group;
  /** How many of its spots stand already: first those with claims. */
  built: number;
  again: LastClaim | null;
}

/** What stands before the categories: one's own spots, those with a star, those that are claimed. */
export const GroupSection = memo(function GroupSection({ group, built, again, ...day }: GroupSectionProps): ReactNode {
  const { t, i18n } = useTranslation();
  const titleId = useId();
  const date = dateInWords(day.date, formatLocale(i18n.language));
  const title =
    group.id !== 'claimed'
      ? t(`board.groups.${group.id}`)
      : day.date === day.today
        ? t('board.groups.today')
        : t('board.groups.on', { date });
  const tiles = group.unclaimed.slice(0, Math.max(0, built - group.claimed.length));
  const againOn = (id: number): LastClaim | null => (again?.respawn_id === id ? again : null);
  return (
    <section aria-labelledby={titleId} className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 id={titleId}>{title}</h2>
        <p>{t('board.results', { count: group.claimed.length + group.unclaimed.length })}</p>
      </div>
      {group.claimed.length > 0 ? (
        <div className={styles.cards}>
          {group.claimed.slice(0, built).map((id) => (
            <SpotCard key={id} id={id} withCategory again={againOn(id)} {...day} />
          ))}
        </div>
      ) : null}
      {tiles.length > 0 ? (
        <ul className={styles.tiles} aria-label={t('board.unclaimedIn', { category: title })}>
          {tiles.map((id) => (
            <SpotTile key={id} id={id} again={againOn(id)} {...day} />
          ))}
        </ul>
      ) : null}
    </section>
  );
});
