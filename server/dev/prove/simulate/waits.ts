import type { Moment } from './command.ts';
import {
  activeIn,
  datesOf,
  endClaims,
  type Held,
  heldIn,
  holdingsOf,
  type InLine,
  type Left,
  lengthOf,
  type Model,
  mayEnter,
  pausedUntil,
  type QuietHours,
  VOUCHER,
} from './model.ts';
import { beginOf, MINUTE_MS } from './moment.ts';

/** The claims that hold hours, by the wait, and until when. */
export type Holds = ReadonlyMap<number, { claim: number; until: number | null }>;

/** Ends entries whose hours are free of claims; then offers each, in order of joining, the longest free range it wants. */
export function serve(model: Model, moment: Moment, holds: Holds): void {
  for (const [id, wait] of model.waits) {
    const isOver = isWaitOver(model, wait, moment);
    if (!isOver && !fitsEvent(model, wait))
      model.endedWithEvent.set(id, {
        wait: { ...wait, hold: null, quiet: null },
        on: moment.today,
      });
    else if (!isOver && !isVoid(model, wait)) continue;
    leave(model, id, 'void');
  }
  const [event, active] = activeIn(model) ?? [null, null];
  if (!model.rules.waits || !model.submission || active?.single) return;
  const held = model.waits.size > 0 ? heldIn(model) : new Map<string, number>();
  for (const [id, wait] of model.waits) {
    const { who, date, spot } = wait;
    if (wait.hold !== null || held.has(`${who} ${date}`)) continue;
    if (active && (date < active.from || date > active.to)) continue;
    const run = freeRun(wait, held, moment, mostFor(model, wait));
    if (!run) continue;
    // An admin who added the entry can accept for the member.
    const paused = wait.byAdmin ? null : pausedUntil(model, who, moment.ms);
    const quiet = paused ?? quietUntil(model.quiet.get(who), moment.ms);
    if (quiet !== null) model.waits.set(id, { ...wait, quiet });
    if (quiet !== null) continue;
    const until = Math.trunc(moment.ms + lastsFor(model, date, run, moment.ms));
    const stored = holds.get(id);
    // No write there since its hours were in the future again.
    if (model.wentBack && (!stored || (stored.until !== null && stored.until !== until))) continue;
    const hold = stored?.claim ?? -id;
    const claim: Held = {
      who,
      event,
      date,
      parts: [{ spot, ...run, awaited: false }],
      waits: false,
      beside: null,
      until,
    };
    model.claims.set(hold, claim);
    model.waits.set(id, { ...wait, event, hold, quiet: null });
    const { hours, days } = holdingsOf(model, claim);
    for (const holding of [...hours, ...days]) held.set(holding, hold);
  }
}

/** Until when it is quiet, in milliseconds; null: it is not. */
function quietUntil(hours: QuietHours | undefined, now: number): number | null {
  const minute = Math.floor(now / MINUTE_MS);
  const left = hours ? dayOf(hours.until - minute) || DAY_MINUTES : 0;
  return hours && left <= dayOf(hours.until - hours.from) ? (minute + left) * MINUTE_MS : null;
}

const DAY_MINUTES = 1_440;
const dayOf = (minutes: number): number => ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;

const isWaitOver = (model: Model, { spot, date, end }: InLine, { today, hour }: Moment): boolean =>
  date < today || (date === today && end <= hour) || !model.spots.get(spot);

function fitsEvent(model: Model, { date, event, hold }: InLine): boolean {
  // A hold made without an event belongs to the one that is activated.
  const [active] = hold === null ? [] : (activeIn(model) ?? []);
  const id = event ?? active ?? null;
  const its = id === null ? null : model.events.get(id);
  if (its === undefined) return false;
  return its === null || (its.active && !its.single && its.from <= date && date <= its.to);
}

function isVoid(model: Model, { who, date, hold }: InLine): boolean {
  if (hold !== null) return !model.claims.has(hold);
  return [...model.claims.values()].some(
    (claim) =>
      claim.who === who &&
      claim.until === null &&
      holdingsOf(model, claim).days.includes(`${who} ${date}`),
  );
}

/** Entries that ended today with their event come back with it, as far as they could join again. */
export function reopenEntries(model: Model, event: number, moment: Moment): void {
  const known = model.events.get(event);
  if (!known || known.single) return;
  const ended = [...model.endedWithEvent].sort(([one], [other]) => one - other);
  for (const [id, { wait, on }] of ended) {
    const { who, spot, date } = wait;
    const own = [...model.waits.values()].filter(
      (other) => other.who === who && fitsEvent(model, other),
    );
    if (wait.event !== event || on !== moment.today || date < known.from || date > known.to)
      continue;
    if (isWaitOver(model, wait, moment) || !isAllowed(model, wait) || isVoid(model, wait)) continue;
    if (own.length >= WAITS || own.some((other) => other.spot === spot && other.date === date))
      continue;
    model.waits.set(id, { ...wait, type: model.keys.get(who)?.type ?? wait.type });
    model.endedWithEvent.delete(id);
    model.left.delete(id);
  }
  model.waits = new Map([...model.waits].sort(([one], [other]) => one - other));
}

/** Entries whose holds were deleted come back, as far as they could join again. @returns their ids */
export function reopenTaken(
  model: Model,
  entries: ReadonlyMap<number, InLine>,
  moment: Moment,
): number[] {
  const reopened: number[] = [];
  for (const [id, wait] of [...entries].sort(([one], [other]) => one - other)) {
    const { who, spot, date } = wait;
    const back: InLine = {
      ...wait,
      hold: null,
      quiet: null,
      type: model.keys.get(who)?.type ?? wait.type,
    };
    const own = [...model.waits.values()].filter(
      (other) => other.who === who && fitsEvent(model, other),
    );
    if (model.waits.has(id) || model.left.get(id)?.status !== 'void' || !fitsEvent(model, back))
      continue;
    if (isWaitOver(model, back, moment) || !isAllowed(model, back) || isVoid(model, back)) continue;
    if (own.length >= WAITS || own.some((other) => other.spot === spot && other.date === date))
      continue;
    model.waits.set(id, back);
    model.left.delete(id);
    reopened.push(id);
  }
  model.waits = new Map([...model.waits].sort(([one], [other]) => one - other));
  return reopened;
}

/** An admin can add a character without a key. */
const isAllowed = (model: Model, { who, byAdmin }: InLine): boolean =>
  mayEnter(model, who) || (byAdmin && !model.keys.has(who) && !model.banned.has(who));

/** Waitlists that a character may be on. */
const WAITS = 3;

/** The longest run of free hours that are not over and of which one was occupied when it joined, the earlier one of two. */
function freeRun(
  { spot, date, start, end, least, wanted }: InLine,
  held: ReadonlyMap<string, number>,
  { today, hour }: Moment,
  most: number,
): { start: number; end: number } | null {
  const isFree = (at: number): boolean =>
    !held.has(`${spot} ${date} ${at}`) && (date > today || at >= hour);
  for (let length = most; length >= least; length -= 1) {
    for (let first = start; first + length <= end; first += 1) {
      const hours = Array.from({ length }, (_, at) => first + at);
      if (hours.every(isFree) && hours.some((hour) => wanted.includes(hour)))
        return { start: first, end: first + length };
    }
  }
  return null;
}

/** The most hours an entry may get: the voucher, or the rest of the budget, which holds count against. */
function mostFor(model: Model, { who, type }: InLine): number {
  const { day, event } = model.budgets.get(type) ?? { day: null, event: null };
  const [active] = activeIn(model) ?? [];
  // A hold made without an event belongs to the active one once it is taken.
  const isOf = ({ event, until }: Held): boolean =>
    event === active || (event === null && until !== null);
  const own = [...model.claims.values()].filter(
    (claim) => claim.who === who && isOf(claim) && !claim.waits,
  );
  const used = own.reduce(
    (sum, claim) => sum + lengthOf(claim.parts) * datesOf(model, claim).length,
    0,
  );
  const left = event === null || active === undefined ? VOUCHER : event - used;
  return Math.min(VOUCHER, day ?? VOUCHER, left);
}

function lastsFor(
  { rules }: Model,
  date: string,
  run: { start: number; end: number },
  now: number,
): number {
  const left = beginOf(date, run.end) - Math.max(now, beginOf(date, run.start));
  return Math.min(rules.hold * MINUTE_MS, Math.max(left / 4, 2 * MINUTE_MS));
}

/** An entry ends; its hold is freed. */
export function leave(model: Model, id: number, status: Left['status']): void {
  const hold = model.waits.get(id)?.hold ?? null;
  model.waits.delete(id);
  model.left.set(id, { status, hold });
  if (status === 'accepted' || hold === null || !model.claims.has(hold)) return;
  endClaims(
    model,
    [hold],
    status === 'declined' || status === 'withdrawn'
      ? 'declined'
      : status === 'void'
        ? 'void'
        : 'lapsed',
  );
}

/** A character's key is revoked: its weekly claims wait. */
export function leaveWaitlists(model: Model, who: string): void {
  for (const [id, wait] of model.waits) if (wait.who === who) leave(model, id, 'void');
}

/** A character is no member any more. */
export function leaveAll(model: Model, who: string): void {
  leaveWaitlists(model, who);
  for (const [id, weekly] of model.weekly) if (weekly.who === who) model.weekly.delete(id);
}
