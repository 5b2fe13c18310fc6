import type { ClaimTime } from '../../../../shared/rules/claim-time.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { compareText } from '../../../lib/words/order.ts';
import { datesOnOffer } from './claim-dates.ts';
import type { FormState } from './form.ts';

/**
 * The chosen dates that ended while the form was open, where today can take their place. What an admin chose stays:
 * they may enter what was; only the date that was suggested to them goes on with the days.
 */
export function endedDates({ rows, suggested_date }: FormState, event: ActiveEvent | null, time: ClaimTime): string[] {
  // Its rows stand for all of the event, which has a last date of its own.
  if (event?.type === 'single_claim') return [];
  const { today, may_enter_past } = time;
  const over = rows.map((row) => row.date).filter((date) => date < today && (!may_enter_past || date === suggested_date));
  return over.length > 0 && datesOnOffer(event, time).includes(today) ? over : [];
}

/** The form on the new day: the last of the dates that ended goes on there with all that was chosen for it, unless today has choices of its own. */
export function turnDay(state: FormState, over: readonly string[], today: string): FormState {
  const hasToday = state.rows.some((row) => row.date === today);
  const moved = hasToday ? undefined : over.at(-1);
  const rows = state.rows
    .filter((row) => row.date === moved || !over.includes(row.date))
    .map((row) => (row.date === moved ? { ...row, date: today } : row))
    .sort((a, b) => compareText(a.date, b.date));
  const forward = (date: string | null): string | null => (date !== null && over.includes(date) ? today : date);
  return {
    ...state,
    rows,
    open_date: forward(state.open_date),
    suggested_date: forward(state.suggested_date),
    is_link_over: false,
    turn: { over, to: today, row: moved === undefined ? today : rowKey(state, moved) },
  };
}

/** What a row is known by for as long as the form is open. */
export const rowKey = ({ turn }: Pick<FormState, 'turn'>, date: string): string => (turn?.to === date ? turn.row : date);
