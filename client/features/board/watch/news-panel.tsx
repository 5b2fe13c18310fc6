import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveTime } from '../../../state/clock.ts';
import { useShortDate } from '../../claiming/claim-words.tsx';
import { latest, type News } from './news.ts';
import styles from './watch.module.css';

const MINUTE_MS = 60_000;

/** What was claimed, moved and given up in the last ten minutes, the latest first. */
export function NewsPanel({ news }: { news: readonly News[] }): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const now = serverNow().getTime();
  const shown = latest(news, now);
  return (
    <aside className={styles.news} aria-labelledby="watch-news">
      <h2 id="watch-news">{t('board.watch.news')}</h2>
      {shown.length === 0 ? <p className={styles.quiet}>{t('board.watch.noNews')}</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach that */}
      <div role="log" aria-labelledby="watch-news" className={styles.log} tabIndex={0}>
        {shown.map((one) => (
          <NewsLine key={one.key} news={one} today={today} minutes={Math.floor(Math.max(0, now - one.at) / MINUTE_MS)} />
        ))}
      </div>
    </aside>
  );
}

function NewsLine({ news: { what, claim }, today, minutes }: { news: News; today: string; minutes: number }): ReactNode {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name);
  const hours = t('time.range', { start: claim.hour_start, end: claim.hour_end });
  return (
    <div className={styles.line}>
      <p className={styles.what}>
        <b className={styles[what]}>{t(`board.watch.${what}`)}</b>
        <span>{minutes === 0 ? t('board.watch.justNow') : t('board.watch.ago', { count: minutes })}</span>
      </p>
      <p className={styles.where}>{spot}</p>
      <p className={styles.who}>
        {claim.character_name} <span>{claim.date === null || claim.date === today ? hours : `${hours}, ${shortDate(claim.date)}`}</span>
      </p>
    </div>
  );
}
