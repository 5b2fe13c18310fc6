/** Hours of one spot. */
export interface Part {
  spot: number;
  start: number;
  end: number;
  /** Whether its holder has yet to say "I'm here". */
  awaited: boolean;
}
export interface Held {
  who: string;
  event: number | null;
  /** null: every date of its event. */
  date: string | null;
  /** Two when it is split. */
  parts: readonly Part[];
  waits: boolean;
  /** Of a waiting secondary claim: the claim it was submitted with, while that exists. */
  beside: number | null;
  /** Of a hold: when it expires, in milliseconds; null: a claim. */
  until: number | null;
}
/** A waitlist entry for hours of a spot on a date. */
export interface InLine {
  who: string;
  type: string;
  event: number | null;
  spot: number;
  date: string;
  start: number;
  end: number;
  /** The fewest hours in a row that are worth an offer. */
  least: number;
  /** The hours that were occupied when it joined: an offer includes one of them. */
  wanted: readonly number[];
  byAdmin: boolean;
  /** The claim that holds hours for it. */
  hold: number | null;
  /** It was passed over for quiet hours, which end then, in milliseconds. */
  quiet: number | null;
}
/** In minutes of a day of UTC; they may pass midnight. */
export interface QuietHours {
  from: number;
  until: number;
}
/** How a wait ended, and what had held hours for it. */
export interface Left {
  status: 'accepted' | 'declined' | 'lapsed' | 'withdrawn' | 'void';
  hold: number | null;
}
/** The guild's switches and minutes. */
export interface Rules {
  waits: boolean;
  release: boolean;
  confirm: boolean;
  hold: number;
  grace: number;
  /** After this many missed claims a character can't claim for a day; 0: no limit. */
  noShowLimit: number;
}
/** A claim that its character missed, or its last part to be missed. */
interface Missed {
  who: string;
  claim: number;
  date: string;
  /** When the server noticed, in milliseconds. */
  at: number;
}
export type Reason =
  | 'admin'
  | 'cleared'
  | 'released'
  | 'no_show'
  | 'declined'
  | 'lapsed'
  | 'withdrawn'
  | 'void'
  | 'event'
  | 'respawn'
  | 'edited'
  | 'handed_over'
  | 'swapped';
interface Ending {
  claim: number;
  reason: Reason;
  spot: number;
  start: number;
  end: number;
}
/** The hours that a member type may have; null: any. */
export interface Budget {
  day: number | null;
  event: number | null;
}
export interface KnownEvent {
  single: boolean;
  from: string;
  to: string;
  active: boolean;
}
interface KnownKey {
  id: number;
  revoked: boolean;
  type: string;
}
/** The undo data of a deletion. */
export interface Taken {
  claims: ReadonlyMap<number, Held>;
  event: { id: number; known: KnownEvent } | null;
  /** The waitlist entries whose holds it took. */
  entries: ReadonlyMap<number, { wait: InLine; hours: readonly string[] }>;
  isKept: boolean;
  /** Of those that it took, what waited beside each. */
  waiting: ReadonlyMap<number, readonly number[]>;
  undone: boolean;
}

/** A weekly claim: the standing claim by which the server makes claims. */
export interface Weekly {
  who: string;
  spot: number;
  /** 1 for Monday to 7. */
  days: readonly number[];
  start: number;
  end: number;
  joins: boolean;
  paused: boolean;
}

/** A claim, or a waitlist entry instead, that the server made for a weekly claim. */
export interface Made {
  /** null: that one has ended since. */
  weekly: number | null;
  date: string;
  claim: number | null;
  wait: number | null;
}

/** An open offer of a claim to another character. */
export interface Offer {
  claim: number;
  /** The same object as in `claims`: any change of the claim replaces that one. */
  held: Held;
  /** Of a swap the claim in return. */
  back: { claim: number; held: Held } | null;
  from: string;
  to: string;
  /** In milliseconds. */
  until: number;
}

/** The guild's state, as the acknowledged commands imply it: plain data, copied whole. */
export interface Model {
  claims: Map<number, Held>;
  events: Map<number, KnownEvent>;
  /** Spots, and whether they take claims. */
  spots: Map<number, boolean>;
  /** By character. */
  keys: Map<string, KnownKey>;
  banned: Set<string>;
  submission: boolean;
  rules: Rules;
  /** By member type. */
  budgets: Map<string, Budget>;
  /** By character, whether or not it has a key. */
  quiet: Map<string, QuietHours>;
  /** Open entries in order of joining. */
  waits: Map<number, InLine>;
  /** Former waitlist entries. */
  left: Map<number, Left>;
  /** Entries that ended with their event, by id, and the date on which they did. */
  endedWithEvent: Map<number, { wait: InLine; on: string }>;
  /** Open offers of claims, by id; and of others whose they were and the refusal of a late answer. */
  offers: Map<number, Offer>;
  pastOffers: Map<number, Pick<Offer, 'from' | 'to'> & { code: string }>;
  weekly: Map<number, Weekly>;
  /** The weekly claims that made claims, by the claim; those that were given away are no longer theirs. */
  madeBy: Map<number, number>;
  /** Weekly claims and dates that had a claim. */
  madeOnce: Set<string>;
  /** Why claims, parts and hours of them ended. */
  endings: Ending[];
  missed: Missed[];
  /** By what was deleted; the same thing may be deleted, restored and deleted again. */
  taken: Map<string, Taken[]>;
  /** Submissions that a second try is answered from, and when they were made. */
  once: Map<string, { ids: readonly number[]; at: string }>;
  /** The server's clock up to which answers were received, and the time of its last write, in milliseconds. */
  clock: number;
  latest: number;
  /** Whether its time ever went back: hours freed when they were past are then offered at the next write. */
  wentBack: boolean;
}

export const VOUCHER = 4;
const DAY_MS = 86_400_000;

export const copyOf = (model: Model): Model => structuredClone(model);

export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export function datesOf(model: Model, { date, event }: Pick<Held, 'date' | 'event'>): string[] {
  if (date !== null) return [date];
  const known = event === null ? undefined : model.events.get(event);
  const dates: string[] = [];
  for (let day = known?.from ?? ''; known && day <= known.to; day = dayAfter(day, 1))
    dates.push(day);
  return dates;
}

/** Every hour and every character's day that a claim holds, as words. */
export function holdingsOf(model: Model, held: Held): { hours: string[]; days: string[] } {
  if (held.waits) return { hours: [], days: [] };
  const dates = datesOf(model, held);
  const hours = dates.flatMap((date) =>
    held.parts.flatMap(({ spot, start, end }) =>
      Array.from({ length: end - start }, (_, at) => `${spot} ${date} ${start + at}`),
    ),
  );
  return { hours, days: dates.map((date) => `${held.who} ${date}`) };
}

export function heldIn(model: Model, except: ReadonlySet<number> = new Set()): Map<string, number> {
  const held = new Map<string, number>();
  for (const [id, claim] of model.claims) {
    if (except.has(id)) continue;
    const { hours, days } = holdingsOf(model, claim);
    for (const holding of [...hours, ...days]) held.set(holding, id);
  }
  return held;
}

const PAUSE_MS = DAY_MS;

/** When a character's pause for missed claims ends, in milliseconds; null: no pause. Missed claims count for longer than any world lasts. */
export function pausedUntil({ missed, rules }: Model, who: string, now: number): number | null {
  if (!rules.confirm || rules.noShowLimit === 0) return null;
  const last = new Map<string, number>();
  for (const { claim, date, at } of missed.filter((one) => one.who === who))
    last.set(`${claim} ${date}`, Math.max(at, last.get(`${claim} ${date}`) ?? at));
  const times = [...last.values()].sort((a, b) => a - b);
  const latest = times.length < rules.noShowLimit ? undefined : times.at(-1);
  return latest !== undefined && latest + PAUSE_MS > now ? latest + PAUSE_MS : null;
}

export const waitingBeside = (model: Model, id: number): number[] =>
  [...model.claims].filter(([, { beside }]) => beside === id).map(([waiting]) => waiting);

export const lengthOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { start, end }) => sum + end - start, 0);

/** Takes claims away; what waited beside them waits on, beside none. */
function dropClaims(model: Model, ids: readonly number[]): void {
  for (const id of ids) model.claims.delete(id);
  const gone = new Set<number | null>(ids);
  for (const [id, claim] of model.claims)
    if (gone.has(claim.beside)) model.claims.set(id, { ...claim, beside: null });
}

export const activeIn = (model: Model): [number, KnownEvent] | null =>
  [...model.events].find(([, event]) => event.active) ?? null;

/** Whose key opens what. */
export const mayEnter = (model: Model, who: string, key_id = model.keys.get(who)?.id): boolean => {
  const key = model.keys.get(who);
  return key !== undefined && key.id === key_id && !key.revoked && !model.banned.has(who);
};

/** Ids of the claims that the board shows on a date. */
export function boardOf(model: Model, today: string): number[] {
  const active = activeIn(model);
  const isShown = (claim: Held): boolean =>
    active
      ? claim.event === active[0]
      : (claim.date ?? model.events.get(claim.event ?? 0)?.to ?? '') >= today;
  return [...model.claims].filter(([, claim]) => isShown(claim)).map(([id]) => id);
}

export function noteEnding(
  model: Model,
  claim: number,
  { spot, start, end }: Omit<Part, 'awaited'>,
  reason: Reason,
): void {
  model.endings.push({ claim, reason, spot, start, end });
}

export function endClaims(model: Model, ids: readonly number[], reason: Reason): void {
  for (const id of ids)
    for (const part of model.claims.get(id)?.parts ?? []) noteEnding(model, id, part, reason);
  dropClaims(model, ids);
}
