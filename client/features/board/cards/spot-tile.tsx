import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { useBoard } from '../../../store/board-store.ts';
import { useChoosing } from '../../../store/presence-store.ts';
import { useClaimPage } from '../../../store/use-claim-page.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { HourStrip } from '../../../ui/hours/hour-strip.tsx';
import { wantedSearch } from '../free/claim-wanted.tsx';
import styles from './spot-card.module.css';

export interface SpotTileProps {
  id: number;
  date: string;
  /** The day is not over: the form would begin with another one. */
  claimable: boolean;
  /** The hours that are looked for, which the spot has. */
  wanted?: HourRange | null | undefined;
}

/** A spot that nobody has claimed: a way to claim it. */
export const SpotTile = memo(function SpotTile({ id, date, claimable, wanted = null }: SpotTileProps): ReactNode {
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  if (!spot) return null;
  return (
    <li>
      {claimable ? (
        <ClaimableTile spot={spot} date={date} wanted={wanted} />
      ) : (
        <div className={styles.tile}>
          <Emblem src={spot.image_url} name={spot.name} size={32} />
          <span className={styles.tileName}>{spot.name}</span>
        </div>
      )}
    </li>
  );
});

/** Who is about to claim the spot is named below it, their hours hatched. */
function ClaimableTile({ spot, date, wanted }: { spot: Respawn; date: string; wanted: HourRange | null }): ReactNode {
  const { t } = useTranslation();
  const choosing = useChoosing(spot.id, date);
  const claimPage = useClaimPage();
  const lines = choosing.map(({ id: who, name, hour_start, hour_end }) => ({
    key: `${who} ${hour_start}`,
    who: t('board.presence.choosing', { name: name ?? t('board.presence.anAdmin') }),
    hours: t('time.range', { start: hour_start, end: hour_end }),
    hour_start,
    hour_end,
  }));
  const range = wanted && { start: wanted.hour_start, end: wanted.hour_end };
  const name = range ? t('board.freeAt.claimName', { name: spot.name, ...range }) : t('board.claimName', { name: spot.name });
  return (
    <a
      href={claimPage + wantedSearch(spot.id, date, wanted)}
      className={styles.tile}
      aria-label={[name, ...lines.map((line) => `${line.who} ${line.hours}`)].join('. ')}
    >
      <Emblem src={spot.image_url} name={spot.name} size={32} />
      <span className={styles.tileName}>
        {spot.name}
        {range ? <span className={styles.tileWanted}>{t('board.freeAt.claim', range)}</span> : null}
      </span>
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
    </a>
  );
}
