import { rangesOverlap } from '../../../shared/rules/hours.ts';
import type { Call, Said, Seen } from './history.ts';

/** A claim whose submission was never answered has no known id until somebody reads it. */
type Held = Omit<Seen, 'id'> & { id: number | null };
/** All claims of one date, as if calls came one after another. */
export type State = readonly Held[];

export const EMPTY: State = [];

/** Two states that hold the same have the same text. */
export const textOf = (state: State): string =>
  state
    .map(({ id, spot, character, hour_start, hour_end }) => `${id ?? '?'}:${spot}:${character}:${hour_start}-${hour_end}`)
    .sort()
    .join('|');

/** The state after a call, if the call could have been answered so in this state; null: it could not. */
export function after(state: State, call: Call, said: Said): State | null {
  switch (call.do) {
    case 'submit':
      return afterSubmit(state, call, said);
    case 'edit':
      return afterEdit(state, call, said);
    case 'delete': {
      const rest = state.filter((held) => held.id !== call.id);
      const there = rest.length < state.length;
      if (said.was === 'done') return there ? rest : null;
      if (said.was === 'not found') return there ? null : state;
      return said.was === 'lost' ? rest : null;
    }
    case 'read':
      return said.was === 'read' ? afterRead(state, call.spots, said.claims) : said.was === 'lost' ? state : null;
  }
}

/** One claim a character and date comes first, then the hours: so do the server's refusals. */
function afterSubmit(state: State, { do: _, ...wanted }: Extract<Call, { do: 'submit' }>, said: Said): State | null {
  const busy = state.some((held) => held.character === wanted.character);
  const taken = state.some((held) => held.spot === wanted.spot && rangesOverlap(held, wanted));
  if (said.was === 'character taken') return busy ? state : null;
  if (said.was === 'hours taken') return !busy && taken ? state : null;
  if (said.was === 'lost') return busy || taken ? state : [...state, { ...wanted, id: null }];
  if (said.was !== 'done' || said.id === undefined || busy || taken) return null;
  // An id is given once.
  return state.some((held) => held.id === said.id) ? null : [...state, { ...wanted, id: said.id }];
}

function afterEdit(state: State, call: Extract<Call, { do: 'edit' }>, said: Said): State | null {
  const { hour_start, hour_end } = call;
  const claim = state.find((held) => held.id === call.id);
  if (!claim) return said.was === 'not found' || said.was === 'lost' ? state : null;
  const others = state.filter((held) => held !== claim);
  const taken = others.some((held) => held.spot === claim.spot && rangesOverlap(held, { hour_start, hour_end }));
  const moved = [...others, { ...claim, hour_start, hour_end }];
  if (said.was === 'done') return taken ? null : moved;
  if (said.was === 'hours taken') return taken ? state : null;
  return said.was === 'lost' ? (taken ? state : moved) : null;
}

/** A read must see just what there is; where an id was not known, it tells it. */
function afterRead(state: State, spots: readonly number[], claims: readonly Seen[]): State | null {
  const there = state.filter((held) => spots.includes(held.spot));
  if (there.length !== claims.length) return null;
  let next = state;
  for (const seen of claims) {
    const held = there.find(
      (one) =>
        (one.id === seen.id || one.id === null) &&
        one.spot === seen.spot &&
        one.character === seen.character &&
        one.hour_start === seen.hour_start &&
        one.hour_end === seen.hour_end,
    );
    if (!held) return null;
    if (held.id === null) next = [...next.filter((one) => one !== held), { ...held, id: seen.id }];
  }
  return next;
}
