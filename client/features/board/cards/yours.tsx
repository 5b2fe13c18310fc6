import { memo, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { showSpot } from '../../../state/board-place.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { claimsOn } from '../../claiming/day-claims.ts';
import { useHoursElsewhere } from '../../claiming/waitlist/waitlist.ts';
import { currentClaims } from '../board-view.ts';
import type { DayShown } from './spot-card.tsx';
import { DayStrip } from './spot-day.tsx';
import styles from './yours.module.css';

/** The viewer's own and starred spots in one row. A press leads to the spot in its category. */
export const Yours = memo(function Yours({
  ids,
  ...day
}: DayShown & { ids: readonly number[] }): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className={styles.shelf}>
      <h2 id={titleId} className="overline">
        {t('board.yours')}
      </h2>
      <ul className={styles.row}>
        {ids.map((id) => (
          <YourSpot key={id} id={id} {...day} />
        ))}
      </ul>
    </section>
  );
});

const YourSpot = memo(function YourSpot({
  id,
  date,
  today,
  now,
  event,
  viewer,
}: DayShown & { id: number }): ReactNode {
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  const claims = useBoard((board) => board.claimsByRespawn.get(id));
  const elsewhere = useHoursElsewhere(id, date);
  if (!spot) return null;
  return (
    <li className={styles.spot}>
      <Emblem src={spot.image_url} name={spot.name} size={24} />
      <button
        type="button"
        className={styles.name}
        title={spot.name}
        onClick={() => showSpot({ respawn_id: id, date, takesFocus: true })}
      >
        <span className="ellipsis">{spot.name}</span>
      </button>
      <div className={styles.day}>
        <DayStrip
          small
          date={date}
          claims={claimsOn(date, currentClaims(claims, event, today))}
          elsewhere={elsewhere}
          choosing={NONE}
          now={now}
          viewer={viewer}
        />
      </div>
    </li>
  );
});

/** Who is choosing hours is shown on the spot itself. */
const NONE: readonly never[] = [];
