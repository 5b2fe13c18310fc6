import { omit } from '../../../../shared/omit.ts';
import { hoursIn, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { WAITS_A_CHARACTER } from '../../../../shared/rules/waits.ts';
import type { Call, Reply, Seen } from './history.ts';
import { afterLine, afterRead } from './reads.ts';
import { type Held, holdOf, type State, served, withId } from './state.ts';

type Of<D extends Call['do']> = Extract<Call, { do: D }>;

/** The outcome of a call: a refusal, or the state after it. */
type Outcome = { refused: Reply } | { next: State };

/** The state after a call, if the call could have been answered so in this state; null: it could not. */
export function after(state: State, call: Call, reply: Reply): State | null {
  if (call.do === 'read')
    return reply.was === 'read'
      ? afterRead(state, call.spots, reply.claims)
      : reply.was === 'lost'
        ? state
        : null;
  if (call.do === 'line')
    return reply.was === 'line'
      ? afterLine(state, call.spots, reply.waits)
      : reply.was === 'lost'
        ? state
        : null;
  const outcome = outcomeOf(state, call, reply);
  if ('refused' in outcome)
    return reply.was === 'lost' || isSame(outcome.refused, reply) ? state : null;
  if (reply.was !== 'done' && reply.was !== 'lost') return null;
  const next = served(outcome.next);
  return reply.was === 'done' && call.do === 'wait' ? toldOfHold(next, reply) : next;
}

const isSame = (one: Reply, other: Reply): boolean =>
  one.was === other.was &&
  (one.was !== 'refused' || other.was !== 'refused' || one.code === other.code);

const because = (code: string): Outcome => ({ refused: { was: 'refused', code } });
const NOT_FOUND: Outcome = { refused: { was: 'not found' } };
/** No refusal is like it. */
const IMPOSSIBLE: Outcome = because('');

function outcomeOf(
  state: State,
  call: Exclude<Call, Of<'read'> | Of<'line'>>,
  reply: Reply,
): Outcome {
  switch (call.do) {
    case 'submit':
      return submitted(state, call, reply);
    case 'wait':
      return queued(state, call, reply);
    case 'accept':
    case 'decline':
      return answered(state, call, reply);
    case 'edit':
    case 'move':
      return moved(state, call);
    case 'release':
    case 'delete': {
      const claim = state.claims.find((held) => held.id === call.id);
      if (!claim) return NOT_FOUND;
      if (call.do === 'release' && claim.held) return because('release.held');
      return { next: { ...state, claims: state.claims.filter((held) => held !== claim) } };
    }
  }
}

/** One claim a character and date comes first, then the hours: so do the server's refusals. */
function submitted(state: State, call: Of<'submit'>, reply: Reply): Outcome {
  const wanted = omit(call, 'do');
  const own = state.claims.find((held) => held.character === wanted.character);
  if (own) return own.held ? because('hold.isYours') : { refused: { was: 'character taken' } };
  const refused = hoursTaken(state.claims, wanted);
  if (refused) return { refused };
  const id = idGiven(reply);
  // An id is given once.
  if (id !== null && state.claims.some((held) => held.id === id)) return IMPOSSIBLE;
  return { next: { ...state, claims: [...state.claims, { ...wanted, held: false, id }] } };
}

const idGiven = (reply: Reply): number | null => (reply.was === 'done' ? (reply.id ?? null) : null);

/** The refusal of hours that others have, held ones before all. */
function hoursTaken(
  others: readonly Held[],
  wanted: Pick<Seen, 'spot' | 'hour_start' | 'hour_end'>,
): Reply | null {
  const there = others.filter((held) => held.spot === wanted.spot && rangesOverlap(held, wanted));
  if (there.some(({ held }) => held)) return { was: 'refused', code: 'hold.taken' };
  return there.length > 0 ? { was: 'hours taken' } : null;
}

function moved(state: State, call: Of<'edit'> | Of<'move'>): Outcome {
  const claim = state.claims.find((held) => held.id === call.id);
  if (!claim) return NOT_FOUND;
  if (claim.held) return because('hold.notEdited');
  if (call.do === 'move' && call.spot === claim.spot) return because('claim.sameSpot');
  const change = omit(call, 'do');
  const others = state.claims.filter((held) => held !== claim);
  const refused = hoursTaken(others, { ...claim, ...change });
  return refused
    ? { refused }
    : { next: { ...state, claims: [...others, { ...claim, ...change }] } };
}

function queued(state: State, call: Of<'wait'>, reply: Reply): Outcome {
  const wanted = omit(call, 'do');
  const own = state.claims.find((held) => held.character === wanted.character);
  if (own && !own.held) return because('wait.hasClaim');
  const lines = state.waits.filter((wait) => wait.character === wanted.character);
  if (lines.some(({ spot }) => spot === wanted.spot)) return because('wait.exists');
  if (lines.length >= WAITS_A_CHARACTER) return because('wait.tooMany');
  const others = state.claims.filter((held) => held !== own && held.spot === wanted.spot);
  const occupied = hoursIn(wanted).filter((hour) =>
    others.some((held) => held.hour_start <= hour && hour < held.hour_end),
  );
  if (occupied.length === 0) return because('wait.nothingTaken');
  if (own) return because('hold.isYours');
  const id = idGiven(reply);
  // A later entry has a higher id.
  if (id !== null && state.waits.some((wait) => wait.id !== null && wait.id >= id))
    return IMPOSSIBLE;
  return {
    next: { ...state, waits: [...state.waits, { ...wanted, occupied, id, offered: false }] },
  };
}

/** The answer to joining a waitlist includes a hold made at once. */
function toldOfHold(state: State, { id, hold }: Extract<Reply, { was: 'done' }>): State | null {
  const wait = state.waits.find((one) => one.id === id);
  if (!wait || wait.offered !== (hold != null)) return null;
  const claim = holdOf(state, wait);
  return claim && hold != null ? withId(state, claim, hold) : state;
}

function answered(
  state: State,
  { do: what, wait: id }: Of<'accept' | 'decline'>,
  reply: Reply,
): Outcome {
  const wait = state.waits.find((one) => one.id === id);
  // The entry's id is unknown: it never joined.
  if (!wait) return because('wait.notOpen');
  const claim = holdOf(state, wait);
  if (!wait.offered || !claim) return because('wait.notOffered');
  const hold = reply.was === 'done' ? (reply.hold ?? null) : null;
  if (hold !== null && claim.id !== null && claim.id !== hold) return IMPOSSIBLE;
  const others = state.claims.filter((held) => held !== claim);
  const claims =
    what === 'accept' ? [...others, { ...claim, held: false, id: claim.id ?? hold }] : others;
  return { next: { claims, waits: state.waits.filter((one) => one !== wait) } };
}
