import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useBoard } from '../../store/board-store.ts';
import { useChoosing } from '../../store/presence-store.ts';
import { useClaimPage } from '../../store/use-claim-page.ts';
import { Emblem } from '../../ui/emblem.tsx';
import { HourStrip } from '../../ui/hour-strip.tsx';
import styles from './spot-card.module.css';

export interface SpotTileProps {
  id: number;
  date: string;
  /** The day is not over: the form would begin with another one. */
  claimable: boolean;
}

/** A spot that nobody has claimed: a way to claim it. Who is about to is named below it, their hours hatched. */
export const SpotTile = memo(function SpotTile({ id, date, claimable }: SpotTileProps): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  const choosing = useChoosing(id, date);
  const claimPage = useClaimPage();
  if (!spot) return null;
  if (!claimable) {
    return (
      <div className={styles.tile}>
        <Emblem src={spot.image_url} name={spot.name} size={32} />
        <span className={styles.tileName}>{spot.name}</span>
      </div>
    );
  }
  const lines = choosing.map(({ id: who, name, hour_start, hour_end }) => ({
    key: `${who} ${hour_start}`,
    who: t('board.presence.choosing', { name: name ?? t('board.presence.anAdmin') }),
    hours: t('time.range', { start: hour_start, end: hour_end }),
    hour_start,
    hour_end,
  }));
  return (
    <Link
      to={`${claimPage}?respawn=${id}&date=${date}`}
      className={styles.tile}
      aria-label={[t('board.claimName', { name: spot.name }), ...lines.map((line) => `${line.who} ${line.hours}`)].join('. ')}
    >
      <Emblem src={spot.image_url} name={spot.name} size={32} />
      <span className={styles.tileName}>{spot.name}</span>
      {lines.length > 0 ? (
        <div className={styles.tileChoosing}>
          <HourStrip small label={spot.name} bars={lines.map((line) => ({ ...line, kind: 'choosing' }))} />
          {lines.map(({ key, who, hours }) => (
            <p key={key}>
              {who} <span>{hours}</span>
            </p>
          ))}
        </div>
      ) : null}
    </Link>
  );
});
