import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { boardDates } from '../../lib/board-dates.ts';
import { boardAddress } from '../../state/board-place.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { useServerSaveQuarter } from '../../state/clock.ts';
import { useNearDay } from '../../state/near-day.ts';
import type { OwnClaimRow } from '../../state/own-claims.ts';
import { HourStrip, useStripBar } from '../../ui/hours/hour-strip.tsx';
import { Link } from '../../ui/link.tsx';
import { useMyClaims } from './my-claim-row.tsx';
import styles from './my-claims.module.css';

const DAYS_SHOWN = 7;

/** The next seven days with the own hours of each; a press shows that day on the board, where the board has it. */
export function WeekStrip(): ReactNode {
  const { t } = useTranslation();
  const { claims } = useMyClaims();
  const event = useActiveEvent();
  const { date: today, time } = useServerSaveQuarter();
  const respawns = useBoard((board) => board.byKind.respawn);
  const dayOf = useNearDay();
  const stripBar = useStripBar();
  const onBoard = boardDates(event, today);
  const days = Array.from({ length: DAYS_SHOWN }, (_, ahead) => addDays(today, ahead));
  return (
    <ul className={styles.week}>
      {days.map((date) => {
        const own = claims.filter((claim) => !claim.is_held && isOn(claim, date, event));
        const hunts = own.map(({ respawn_id, hour_start: start, hour_end: end }) => {
          const spot = respawns.get(respawn_id)?.name ?? '';
          return `${spot} ${t('time.range', { start, end })}`;
        });
        const name = [dayOf(date), ...(hunts.length > 0 ? hunts : [t('myClaims.upcoming.none')])];
        const content = (
          <>
            <span aria-hidden="true" className="fine tabular">
              {dayOf(date, 'short')}
            </span>
            <span className="visually-hidden">{name.join(', ')}</span>
            <HourStrip small bars={own.map(stripBar)} now={date === today ? time : null} />
          </>
        );
        return (
          <li key={date}>
            {onBoard.length === 0 || onBoard.includes(date) ? (
              <Link to={boardAddress(date, today)} title={hunts.join('\n') || undefined}>
                {content}
              </Link>
            ) : (
              <div className={styles.notOnBoard}>{content}</div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function isOn(claim: OwnClaimRow, date: string, event: ActiveEvent | null): boolean {
  if (claim.date !== null) return claim.date === date;
  const first = claim.first_date ?? (event && eventDate(event.start_time));
  const last = claim.last_date ?? (event && eventDate(event.end_time));
  return first != null && last != null && first <= date && date <= last;
}
