import { type HourRange, hoursIn, rangesOverlap } from '../../../../shared/rules/hours.ts';
import type { Call, Seen } from './history.ts';

/** A claim whose submission was never answered, or a hold, has no known id until an answer has it. */
export type Held = Omit<Seen, 'id'> & { id: number | null };
/** A waitlist entry. A hold is the character's only claim on the date. */
export type InLine = Omit<Extract<Call, { do: 'wait' }>, 'do'> & {
  id: number | null;
  offered: boolean;
  /** The hours that others had when the character joined: an offer includes one of them. */
  occupied: readonly number[];
};

/** All claims of one date and all entries in order of joining, as if calls came one after another. */
export interface State {
  claims: readonly Held[];
  waits: readonly InLine[];
}

export const EMPTY: State = { claims: [], waits: [] };

/** Two states that hold the same have the same text. */
export const textOf = ({ claims, waits }: State): string => {
  const held = claims.map(
    ({ id, spot, character, hour_start, hour_end, held }) =>
      `${id ?? '?'}:${spot}:${character}:${hour_start}-${hour_end}${held ? ' held' : ''}`,
  );
  const line = waits.map(
    ({ id, spot, character, hour_start, hour_end, least, occupied, offered }) =>
      `${id ?? '?'}:${spot}:${character}:${hour_start}-${hour_end}:${least}:${occupied.join()}${offered ? ' offered' : ''}`,
  );
  return `${held.sort().join('|')} / ${line.join('|')}`;
};

export const holdOf = (
  { claims }: State,
  { character }: Pick<InLine, 'character'>,
): Held | undefined => claims.find((claim) => claim.held && claim.character === character);

/** The end of every write: remove void waitlist entries, then offer free hours to the rest, in order. */
export function served(state: State): State {
  let { claims } = state;
  const isVoid = (wait: InLine): boolean =>
    wait.offered
      ? !holdOf({ ...state, claims }, wait)
      : claims.some((claim) => !claim.held && claim.character === wait.character);
  const waits = state.waits
    .filter((wait) => !isVoid(wait))
    .map((wait) => {
      const isBusy = claims.some((claim) => claim.character === wait.character);
      const run = wait.offered || isBusy ? null : freeRun(claims, wait);
      if (!run) return wait;
      const { spot, character } = wait;
      claims = [...claims, { id: null, spot, character, ...run, held: true }];
      return { ...wait, offered: true };
    });
  return { claims, waits };
}

/** The longest run of free hours of which one was occupied when the character joined, the earlier one of two. */
function freeRun(
  claims: readonly Held[],
  { spot, hour_start, hour_end, least, occupied }: InLine,
): HourRange | null {
  for (let length = hour_end - hour_start; length >= least; length -= 1) {
    for (let start = hour_start; start + length <= hour_end; start += 1) {
      const run = { hour_start: start, hour_end: start + length };
      const isFree = !claims.some((claim) => claim.spot === spot && rangesOverlap(claim, run));
      if (isFree && hoursIn(run).some((hour) => occupied.includes(hour))) return run;
    }
  }
  return null;
}

/** @returns null where the claim is known by another id, or another one by this */
export function withId(state: State, claim: Held, id: number): State | null {
  if (claim.id === id) return state;
  if (claim.id !== null || state.claims.some((held) => held.id === id)) return null;
  return {
    ...state,
    claims: state.claims.map((held) => (held === claim ? { ...claim, id } : held)),
  };
}
