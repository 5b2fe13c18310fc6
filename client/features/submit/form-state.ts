import { omit } from '../../../shared/omit.ts';
import { type ClaimTime, lastDateAhead } from '../../../shared/rules/claim-time.ts';
import { isWithinEvent } from '../../../shared/rules/event-period.ts';
import type { SecondaryPlace } from '../../../shared/rules/secondary.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { date as dateSchema } from '../../../shared/schemas/fields.ts';
import { requestedHoursIn } from '../../lib/claim-request.ts';
import { compareText } from '../../lib/words/order.ts';
import {
  coveredPeriod,
  type DraftRow,
  datesOnOffer,
  emptyRow,
  type SplitParts,
} from '../claiming/draft/draft.ts';

/** A server save that ended chosen dates while the form was open. */
interface DayTurn {
  /** The ended dates, in order. */
  over: readonly string[];
  to: string;
  /** The former date of that date's row: it is still the same row, with its focus and place. */
  row: string;
}

export interface FormState {
  respawn_id: number | null;
  /** By date, each date once. */
  rows: readonly DraftRow[];
  /** The date whose hours are in view. */
  open_date: string | null;
  /** The date the form opened with when none was requested. */
  suggested_date: string | null;
  /** The requested date is over, and another one took its place; shown until a date is added. */
  is_link_over: boolean;
  /** Chosen dates ended while the form was open; shown until a date is added. */
  turn: DayTurn | null;
  /** A submission was tried: missing fields are marked from now on. */
  tried: boolean;
  /** The dates whose hours the person chose there. Other dates follow the hours chosen last. */
  own_hours: readonly string[];
  is_changed: boolean;
}

export type FormAction =
  | { type: 'respawn-chosen'; respawn_id: number }
  | { type: 'requested'; first: FirstChoice }
  | { type: 'date-added'; row: DraftRow }
  | { type: 'date-removed'; date: string }
  | { type: 'date-opened'; date: string }
  | ({ type: 'hours-chosen'; date: string } & ChosenHours & WithFollowers)
  | { type: 'split-changed'; date: string; split: SplitParts | null }
  | { type: 'secondary-changed'; date: string; secondary: SecondaryPlace | null }
  | { type: 'dates-ended'; over: readonly string[]; today: string }
  | { type: 'submit-tried' };

interface ChosenHours {
  hour_start?: number;
  /** Whole hours; null: the whole voucher. */
  custom_duration?: number | null;
}

interface WithFollowers {
  /** Rows of other dates that take over the choice; see `followersOf`. */
  followers?: readonly DraftRow[];
}

const CHANGES_NOTHING: readonly FormAction['type'][] = [
  'date-opened',
  'dates-ended',
  'submit-tried',
];

export function formReducer(state: FormState, action: FormAction): FormState {
  const next = nextState(state, action);
  return CHANGES_NOTHING.includes(action.type) ? next : { ...next, is_changed: true };
}

function nextState(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'respawn-chosen':
      return { ...state, respawn_id: action.respawn_id };
    case 'requested':
      return fillRequested(state, action.first);
    case 'date-added':
      return {
        ...state,
        rows: withRow(state.rows, action.row),
        open_date: action.row.date,
        is_link_over: false,
        turn: null,
      };
    case 'date-removed': {
      const rows = state.rows.filter((row) => row.date !== action.date);
      return {
        ...state,
        rows,
        open_date: state.open_date === action.date ? neighbour(rows, action.date) : state.open_date,
        suggested_date: state.suggested_date === action.date ? null : state.suggested_date,
        own_hours: state.own_hours.filter((date) => date !== action.date),
      };
    }
    case 'date-opened':
      return { ...state, open_date: action.date };
    case 'hours-chosen':
      return chooseHours(state, action);
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

function chooseHours(
  state: FormState,
  { date, followers = [], ...action }: FormAction & { type: 'hours-chosen' },
): FormState {
  const own_hours = [...state.own_hours.filter((one) => one !== date), date];
  const next = changeRow({ ...state, own_hours }, date, omit(action, 'type'));
  return {
    ...next,
    rows: next.rows.map((row) => followers.find((follower) => follower.date === row.date) ?? row),
  };
}

/**
 * The other dates that take over hours chosen for one date: those whose hours the person has not chosen, and that have none yet, or the
 * same as this date had. A suggested date is not one of them: the person may not want it at all.
 */
export function followersOf(state: FormState, date: string): DraftRow[] {
  const before = state.rows.find((row) => row.date === date);
  const has = (row: DraftRow): boolean =>
    row.hour_start === null ||
    (row.hour_start === before?.hour_start && row.custom_duration === before.custom_duration);
  return state.rows.filter(
    (row) =>
      row.date !== date &&
      row.date !== state.suggested_date &&
      !row.split &&
      !state.own_hours.includes(row.date) &&
      has(row),
  );
}

/** Fills in hours, or a spot, that were requested while the form is open. Other dates, and other choices for this one, stay. */
function fillRequested(
  before: FormState,
  { respawn_id, date, hour_start, custom_duration = null, is_suggestion }: FirstChoice,
): FormState {
  const state = { ...before, respawn_id: respawn_id ?? before.respawn_id };
  if (date === null || (is_suggestion && hour_start === null)) return state;
  const suggestion = untouchedSuggestion(before);
  const kept =
    suggestion === date ? before.rows : before.rows.filter((row) => row.date !== suggestion);
  const rows = withRow(kept, emptyRow(date));
  const next = { ...state, rows, open_date: date, is_link_over: false, turn: null };
  // A split row has its hours in its parts.
  if (hour_start === null) return next;
  return {
    ...changeRow(next, date, { hour_start, custom_duration, split: null }),
    own_hours: [...next.own_hours, date],
  };
}

/** R3.5: a date cannot be added twice. */
function withRow(rows: readonly DraftRow[], row: DraftRow): readonly DraftRow[] {
  if (rows.some(({ date }) => date === row.date)) return rows;
  return [...rows, row].sort((a, b) => compareText(a.date, b.date));
}

/** The date to open when one is removed: the next one, else the last. */
function neighbour(rows: readonly DraftRow[], removed: string): string | null {
  return (rows.find((row) => row.date > removed) ?? rows.at(-1))?.date ?? null;
}

function changeRow(state: FormState, date: string, change: Partial<DraftRow>): FormState {
  return {
    ...state,
    rows: state.rows.map((row) => (row.date === date ? { ...row, ...change } : row)),
  };
}

export interface FirstChoice {
  respawn_id: number | null;
  date: string | null;
  hour_start: number | null;
  /** Whole hours; null: the whole voucher. */
  custom_duration?: number | null;
  /** The date was not requested. */
  is_suggestion: boolean;
  /** The requested date is over: an old link. */
  is_link_over: boolean;
}

/** The form as it opens: with the address's choices, and one date. */
export function firstFormState({
  respawn_id,
  date,
  hour_start,
  custom_duration = null,
  is_suggestion,
  is_link_over,
}: FirstChoice): FormState {
  const rows = date === null ? [] : [{ ...emptyRow(date), hour_start, custom_duration }];
  const own_hours = date !== null && hour_start !== null ? [date] : [];
  const suggested_date = is_suggestion ? date : null;
  return {
    respawn_id,
    rows,
    open_date: date,
    suggested_date,
    is_link_over,
    turn: null,
    tried: false,
    own_hours,
    is_changed: false,
  };
}

/** The suggested date while nothing was chosen for it: another date replaces it. */
export function untouchedSuggestion({ rows, suggested_date }: FormState): string | null {
  const [only] = rows;
  const isUntouched = only?.hour_start === null && only.split === null && only.secondary === null;
  return rows.length === 1 && only?.date === suggested_date && isUntouched ? suggested_date : null;
}

/**
 * The chosen dates that ended while the form was open, if today can take their place. An admin may enter past claims, so their
 * dates stay, except the suggested one.
 */
export function endedDates(
  { rows, suggested_date }: FormState,
  event: ActiveEvent | null,
  time: ClaimTime,
): string[] {
  // Its row covers the whole event, which has a last date of its own.
  if (event?.type === 'single_claim') return [];
  const { today, may_enter_past } = time;
  const over = rows
    .map((row) => row.date)
    .filter((date) => date < today && (!may_enter_past || date === suggested_date));
  return over.length > 0 && datesOnOffer(event, time).includes(today) ? over : [];
}

/** Moves the last of the ended dates to today with its choices, unless today has a row of its own; removes the others. */
function turnDay(state: FormState, over: readonly string[], today: string): FormState {
  const hasToday = state.rows.some((row) => row.date === today);
  const moved = hasToday ? undefined : over.at(-1);
  const rows = state.rows
    .filter((row) => row.date === moved || !over.includes(row.date))
    .map((row) => (row.date === moved ? { ...row, date: today } : row))
    .sort((a, b) => compareText(a.date, b.date));
  const forward = (date: string | null): string | null =>
    date !== null && over.includes(date) ? today : date;
  return {
    ...state,
    rows,
    open_date: forward(state.open_date),
    suggested_date: forward(state.suggested_date),
    own_hours: state.own_hours.map((date) => forward(date) ?? date),
    is_link_over: false,
    turn: { over, to: today, row: moved === undefined ? today : rowKey(state, moved) },
  };
}

export const rowKey = ({ turn }: Pick<FormState, 'turn'>, date: string): string =>
  turn?.to === date ? turn.row : date;

/** The day after `date`, or why it cannot be added. */
export function nextDay(
  date: string,
  chosen: readonly string[],
  event: ActiveEvent | null,
  time: ClaimTime,
): { date: string } | { refused: 'beyondEvent' | 'beyondHorizon' | 'alreadyAdded' } {
  const next = addDays(date, 1);
  if (event && !isWithinEvent(next, event)) return { refused: 'beyondEvent' };
  if (!event && next > lastDateAhead(time)) return { refused: 'beyondHorizon' };
  return chosen.includes(next) ? { refused: 'alreadyAdded' } : { date: next };
}

/**
 * The choices of an address such as `?respawn=12&date=2026-11-21&hour=14&hours=3`; those that cannot be chosen are left out. Without a
 * date, the first one that can be claimed is suggested.
 */
export function firstChoice(
  query: URLSearchParams,
  event: ActiveEvent | null,
  time: ClaimTime,
  mayClaim: (date: string, respawn_id: number | null) => boolean = () => true,
): FirstChoice {
  const offered =
    event?.type === 'single_claim' ? [coveredPeriod('', event).first] : datesOnOffer(event, time);
  const { respawn_id, date: requested, hour, hours } = requestedHoursIn(query);
  // An admin may choose past dates, but none is suggested.
  const ahead = offered.filter((date) => date >= time.today);
  const suggested =
    ahead.find((date) => mayClaim(date, respawn_id)) ?? ahead[0] ?? offered.at(-1) ?? null;
  const isRequested =
    requested !== null && (offered.includes(requested) || mayEnter(requested, event, time));
  return {
    respawn_id,
    date: isRequested
      ? requested
      : event?.type === 'single_claim'
        ? (offered[0] ?? null)
        : suggested,
    hour_start: hour,
    custom_duration: hours,
    is_suggestion: !isRequested,
    is_link_over: !isRequested && requested !== null && isDate(requested) && requested < time.today,
  };
}

const isDate = (text: string): boolean => dateSchema.safeParse(text).success;

/** The form offers an admin two past weeks; a link, such as the board's, leads to any past day. */
const mayEnter = (date: string, event: ActiveEvent | null, time: ClaimTime): boolean =>
  time.may_enter_past && event === null && isDate(date) && date <= lastDateAhead(time);
