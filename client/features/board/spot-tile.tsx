import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { useNear } from '../../lib/use-near.ts';
import { useBoard } from '../../store/board-store.ts';
import { useChoosing } from '../../store/presence-store.ts';
import { useClaimPage } from '../../store/use-claim-page.ts';
import { classes } from '../../ui/classes.ts';
import { Emblem } from '../../ui/emblem.tsx';
import { HourStrip } from '../../ui/hour-strip.tsx';
import styles from './spot-card.module.css';

interface TileProps {
  spot: Respawn;
  date: string;
  /** The day is not over: the form would begin with another one. */
  claimable: boolean;
}

export interface SpotTileProps extends Omit<TileProps, 'spot'> {
  id: number;
  /** It is drawn even if it is far from the view. */
  whole?: boolean | undefined;
}

/** A spot that nobody has claimed. Until it comes near the view it is its name. */
export const SpotTile = memo(function SpotTile({ id, whole = false, ...day }: SpotTileProps): ReactNode {
  const [place, isNear] = useNear<HTMLLIElement>(whole);
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  if (!spot) return null;
  return (
    <li ref={place} className={isNear ? undefined : classes(styles.tile, styles.farTile)}>
      {isNear ? <Tile spot={spot} {...day} /> : <span className={styles.tileName}>{spot.name}</span>}
    </li>
  );
});

/** A way to claim the spot. Who is about to is named below it, their hours hatched. */
function Tile({ spot, date, claimable }: TileProps): ReactNode {
  const { t } = useTranslation();
  const choosing = useChoosing(spot.id, date);
  const claimPage = useClaimPage();
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
      to={`${claimPage}?respawn=${spot.id}&date=${date}`}
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
}
