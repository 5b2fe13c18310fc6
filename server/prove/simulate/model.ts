import type { AskedClaim } from './deed.ts';

/** Hours of one spot. */
export interface Part {
  spot: number;
  start: number;
  end: number;
}
export interface Held {
  who: string;
  event: number | null;
  /** null: every date of its event. */
  date: string | null;
  /** Two when it is split. */
  parts: readonly Part[];
  waits: boolean;
  /** Of one that waits: the claim it was submitted with, while that stands. */
  beside: number | null;
}
export interface KnownEvent {
  single: boolean;
  from: string;
  to: string;
  active: boolean;
}
export interface KnownKey {
  id: number;
  revoked: boolean;
  type: string;
}
/** What a deletion took, for the undo of it. */
export interface Taken {
  claims: ReadonlyMap<number, Held>;
  event: { id: number; known: KnownEvent } | null;
  /** Of those that it took, what waited beside each. */
  waiting: ReadonlyMap<number, readonly number[]>;
  undone: boolean;
}

/** What the guild holds, as whoever wrote down all that was acknowledged would have it: plain data, copied whole. */
export interface Model {
  claims: Map<number, Held>;
  events: Map<number, KnownEvent>;
  /** Spots, and whether they take claims. */
  spots: Map<number, boolean>;
  /** By character. */
  keys: Map<string, KnownKey>;
  banned: Set<string>;
  submission: boolean;
  /** By what was deleted; the same thing may be deleted, restored and deleted again. */
  taken: Map<string, Taken[]>;
  /** Submissions that a second try is answered from, and when they were made. */
  once: Map<string, { ids: readonly number[]; at: string }>;
}

export const VOUCHER = 4;
const DAY_MS = 86_400_000;

export const copyOf = (model: Model): Model => structuredClone(model);

/** The date so many days after another. */
export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export function datesOf(model: Model, { date, event }: Pick<Held, 'date' | 'event'>): string[] {
  if (date !== null) return [date];
  const known = event === null ? undefined : model.events.get(event);
  const dates: string[] = [];
  for (let day = known?.from ?? ''; known && day <= known.to; day = dayAfter(day, 1)) dates.push(day);
  return dates;
}

/** Every hour and every character's day that a claim holds, as words. */
export function holdingsOf(model: Model, held: Held): { hours: string[]; days: string[] } {
  if (held.waits) return { hours: [], days: [] };
  const dates = datesOf(model, held);
  const hours = dates.flatMap((date) =>
    held.parts.flatMap(({ spot, start, end }) => Array.from({ length: end - start }, (_, at) => `${spot} ${date} ${start + at}`)),
  );
  return { hours, days: dates.map((date) => `${held.who} ${date}`) };
}

/** All that is held, and by which claim. */
export function heldIn(model: Model, except: ReadonlySet<number> = new Set()): Map<string, number> {
  const held = new Map<string, number>();
  for (const [id, claim] of model.claims) {
    if (except.has(id)) continue;
    const { hours, days } = holdingsOf(model, claim);
    for (const holding of [...hours, ...days]) held.set(holding, id);
  }
  return held;
}

/** The claims that wait beside one. */
export const waitingBeside = (model: Model, id: number): number[] =>
  [...model.claims].filter(([, { beside }]) => beside === id).map(([waiting]) => waiting);

/** Takes claims away; what waited beside them waits on, beside none. */
export function dropClaims(model: Model, ids: readonly number[]): void {
  for (const id of ids) model.claims.delete(id);
  const gone = new Set<number | null>(ids);
  for (const [id, claim] of model.claims) if (gone.has(claim.beside)) model.claims.set(id, { ...claim, beside: null });
}

export const activeIn = (model: Model): [number, KnownEvent] | null => [...model.events].find(([, event]) => event.active) ?? null;

/** Whose key opens what. */
export const mayEnter = (model: Model, who: string, key_id = model.keys.get(who)?.id): boolean => {
  const key = model.keys.get(who);
  return key !== undefined && key.id === key_id && !key.revoked && !model.banned.has(who);
};

/** The parts of a claim as it was asked for. */
export function partsOf({ spot, start, hours, second }: AskedClaim): Part[] {
  const first = { spot, start, end: start + (hours ?? VOUCHER) };
  return second ? [first, { spot: second.spot, start: second.start, end: second.start + second.hours }] : [first];
}

/** Ids of the claims that the board shows on a date. */
export function boardOf(model: Model, today: string): number[] {
  const active = activeIn(model);
  const isShown = (claim: Held): boolean =>
    active ? claim.event === active[0] : (claim.date ?? model.events.get(claim.event ?? 0)?.to ?? '') >= today;
  return [...model.claims].filter(([, claim]) => isShown(claim)).map(([id]) => id);
}
