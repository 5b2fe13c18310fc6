import type { SecondaryPlace } from '../../../../shared/rules/secondary.ts';
import { compareText } from '../../../lib/words/order.ts';
import { turnDay } from './day-turn.ts';
import type { FormState } from './form.ts';
import type { ClaimFormRow, SplitParts } from './row.ts';
import { emptyRow } from './row.ts';

export type FormAction =
  | { type: 'respawn-chosen'; respawn_id: number }
  | { type: 'asked-for'; first: FirstChoice }
  | { type: 'date-added'; row: ClaimFormRow }
  | { type: 'date-removed'; date: string }
  | { type: 'date-opened'; date: string }
  | { type: 'hour-chosen'; date: string; hour_start: number }
  | { type: 'duration-chosen'; date: string; custom_duration: number | null }
  | { type: 'split-changed'; date: string; split: SplitParts | null }
  | { type: 'secondary-changed'; date: string; secondary: SecondaryPlace | null }
  | { type: 'dates-ended'; over: readonly string[]; today: string }
  | { type: 'submit-tried' };

export function formReducer(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'respawn-chosen':
      return { ...state, respawn_id: action.respawn_id };
    case 'asked-for':
      return takeOver(state, action.first);
    case 'date-added':
      return { ...state, rows: withRow(state.rows, action.row), open_date: action.row.date, is_link_over: false, turn: null };
    case 'date-removed': {
      const rows = state.rows.filter((row) => row.date !== action.date);
      return { ...state, rows, open_date: state.open_date === action.date ? neighbour(rows, action.date) : state.open_date };
    }
    case 'date-opened':
      return { ...state, open_date: action.date };
    case 'hour-chosen':
      return changeRow(state, action.date, { hour_start: action.hour_start });
    case 'duration-chosen':
      return changeRow(state, action.date, { custom_duration: action.custom_duration });
    case 'split-changed':
      return changeRow(state, action.date, { split: action.split });
    case 'secondary-changed':
      return changeRow(state, action.date, { secondary: action.secondary });
    case 'dates-ended':
      return turnDay(state, action.over, action.today);
    case 'submit-tried':
      return { ...state, tried: true };
  }
}

/** Hours, or a spot, that are asked for while the form is open: the other dates, and what else was chosen for this one, stay. */
function takeOver(before: FormState, { respawn_id, date, hour_start, custom_duration = null, is_suggestion }: FirstChoice): FormState {
  const state = { ...before, respawn_id: respawn_id ?? before.respawn_id };
  if (date === null || (is_suggestion && hour_start === null)) return state;
  const suggestion = untouchedSuggestion(before);
  const kept = suggestion === date ? before.rows : before.rows.filter((row) => row.date !== suggestion);
  const rows = withRow(kept, emptyRow(date));
  const next = { ...state, rows, open_date: date, is_link_over: false, turn: null };
  // Hours of its own a split date has in its parts alone.
  return hour_start === null ? next : changeRow(next, date, { hour_start, custom_duration, split: null });
}

/** R3.5: a date cannot be added twice. */
function withRow(rows: readonly ClaimFormRow[], row: ClaimFormRow): readonly ClaimFormRow[] {
  if (rows.some(({ date }) => date === row.date)) return rows;
  return [...rows, row].sort((a, b) => compareText(a.date, b.date));
}

/** The date to show when one is removed: the next one left, else the last. */
function neighbour(rows: readonly ClaimFormRow[], removed: string): string | null {
  return (rows.find((row) => row.date > removed) ?? rows.at(-1))?.date ?? null;
}

function changeRow(state: FormState, date: string, change: Partial<ClaimFormRow>): FormState {
  return { ...state, rows: state.rows.map((row) => (row.date === date ? { ...row, ...change } : row)) };
}

export interface FirstChoice {
  respawn_id: number | null;
  date: string | null;
  hour_start: number | null;
  /** Whole hours; null: the whole voucher. */
  custom_duration?: number | null;
  /** The date was not asked for, only offered. */
  is_suggestion: boolean;
  /** The date that was asked for is over: an old link. */
  is_link_over: boolean;
}

/** The form as it opens: with what the address asks for, and one date to begin with. */
export function firstFormState({
  respawn_id,
  date,
  hour_start,
  custom_duration = null,
  is_suggestion,
  is_link_over,
}: FirstChoice): FormState {
  const rows = date === null ? [] : [{ ...emptyRow(date), hour_start, custom_duration }];
  return { respawn_id, rows, open_date: date, suggested_date: is_suggestion ? date : null, is_link_over, turn: null, tried: false };
}

/** The suggested date, as long as nothing was chosen for it: choosing another one takes its place. */
export function untouchedSuggestion({ rows, suggested_date }: FormState): string | null {
  const [only] = rows;
  const isUntouched = only?.hour_start === null && only.split === null && only.secondary === null;
  return rows.length === 1 && only?.date === suggested_date && isUntouched ? suggested_date : null;
}
