/** Computes the expected offers from the rules alone: all waitlists after each write, regardless of cost. */

export interface ModelWait {
  id: number;
  respawn_id: number;
  event_id: number | null;
  date: string;
  hour_start: number;
  hour_end: number;
  min_hours: number;
  /** The hours that were occupied when it joined: an offer includes one of them. */
  wanted: readonly number[];
  who: string;
  hold: {
    hour_start: number;
    hour_end: number;
    until: number;
    claim_id: number | null;
    event_id: number | null;
  } | null;
  /** It was passed over for quiet hours, which end then, in milliseconds. */
  quiet_until: number | null;
}

/** The model's input from the database: everything but waitlist entries and holds. */
export interface ModelFacts {
  /** In milliseconds. */
  now: number;
  hold_minutes: number;
  is_paused: boolean;
  active: { id: number; first: string; last: string; is_single: boolean } | null;
  /** Spots that take claims. */
  spots: ReadonlySet<number>;
  /** Hours of claims that are no holds, as `spot date hour`, and days of their characters, as `name date`. */
  hours: ReadonlySet<string>;
  days: ReadonlySet<string>;
  /** The budget of all members on the waitlists: they have one type. */
  budget: { day: number | null; event: number | null };
  may_submit: boolean;
  /** Of those who have quiet hours, from when until when, in minutes of a day of UTC. */
  quiet: ReadonlyMap<string, { from: number; until: number }>;
  /** The hours that characters have in the active event. */
  used: ReadonlyMap<string, number>;
  members: ReadonlySet<string>;
}

const VOUCHER = 4;
/** The save is at 1:00 Pacific time, in a month without daylight saving. */
const beginOf = (date: string): number => Date.parse(`${date}T09:00:00Z`);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export class NaiveWaitlists {
  /** The open entries, first come first. */
  waits: ModelWait[];
  /** Entries that ended with their event, and when, in milliseconds. */
  ended: { wait: ModelWait; at: number }[] = [];
  #active: number | null = null;
  constructor(waits: ModelWait[] = []) {
    this.waits = waits;
  }

  copy(): NaiveWaitlists {
    const copy = new NaiveWaitlists(structuredClone(this.waits));
    copy.ended = structuredClone(this.ended);
    copy.#active = this.#active;
    return copy;
  }

  /** Ends entries because of their event. */
  endWithEvent(isOfEvent: (wait: ModelWait) => boolean, now: number): void {
    for (const wait of this.waits)
      if (isOfEvent(wait))
        this.ended.push({ wait: { ...wait, hold: null, quiet_until: null }, at: now });
    this.remove(isOfEvent);
  }

  /** Entries that ended today come back with their event, as far as they could join again. */
  #reopen({ now, active, spots, days, members }: ModelFacts): void {
    const id = active?.id ?? null;
    if (id === this.#active) return;
    this.#active = id;
    if (!active || active.is_single) return;
    const today = Math.floor((now - beginOf('2026-01-01')) / DAY);
    for (const ended of this.ended.toSorted((one, other) => one.wait.id - other.wait.id)) {
      const { wait, at } = ended;
      const { date, who, respawn_id } = wait;
      const own = this.waits.filter((other) => other.who === who);
      const isPossible =
        wait.event_id === active.id &&
        Math.floor((at - beginOf('2026-01-01')) / DAY) === today &&
        active.first <= date &&
        date <= active.last &&
        beginOf(date) + wait.hour_end * HOUR > now &&
        spots.has(respawn_id) &&
        members.has(who) &&
        !days.has(`${who} ${date}`) &&
        own.length < 3 &&
        !own.some((other) => other.respawn_id === respawn_id && other.date === date);
      if (!isPossible) continue;
      this.waits = [...this.waits, wait].sort((one, other) => one.id - other.id);
      this.ended = this.ended.filter((other) => other !== ended);
    }
  }

  /** Ends past holds, removes void entries, and serves the rest. */
  advance(facts: ModelFacts): void {
    this.waits = this.waits.filter(({ hold }) => !hold || hold.until > facts.now);
    this.waits = this.waits.filter((wait) => !isVoid(wait, facts));
    this.endWithEvent((wait) => !fitsEvent(wait, facts), facts.now);
    this.waits = this.waits.filter(({ who, date }) => !facts.days.has(`${who} ${date}`));
    this.#reopen(facts);
    for (const wait of this.waits)
      if (wait.quiet_until !== null && wait.quiet_until <= facts.now) wait.quiet_until = null;
    if (facts.is_paused || facts.active?.is_single) return;
    for (const wait of this.waits) {
      if (wait.hold) continue;
      if (facts.active && (wait.date < facts.active.first || wait.date > facts.active.last))
        continue;
      if (
        this.waits.some((other) => other.hold && other.who === wait.who && other.date === wait.date)
      )
        continue;
      const run = this.#bestRun(wait, facts);
      if (!run) continue;
      if (!facts.may_submit) continue;
      const quiet_until = quietUntil(facts.quiet.get(wait.who), facts.now);
      wait.quiet_until = quiet_until;
      if (quiet_until !== null) continue;
      wait.event_id = facts.active?.id ?? null;
      wait.hold = {
        ...run,
        until: untilOf(wait, run, facts),
        claim_id: null,
        event_id: wait.event_id,
      };
    }
  }

  /** The hold on an hour. */
  holdAt(respawn_id: number, date: string, hour: number): ModelWait | undefined {
    return this.waits.find(
      (wait) =>
        wait.respawn_id === respawn_id &&
        wait.date === date &&
        wait.hold &&
        wait.hold.hour_start <= hour &&
        hour < wait.hold.hour_end,
    );
  }

  remove(gone: (wait: ModelWait) => boolean): void {
    this.waits = this.waits.filter((wait) => !gone(wait));
  }

  /** In the server's format. */
  rows() {
    return this.waits.map((wait) => ({
      id: wait.id,
      status: wait.hold ? 'offered' : 'waiting',
      position: this.waits.filter(
        (other) =>
          other.respawn_id === wait.respawn_id && other.date === wait.date && other.id <= wait.id,
      ).length,
      held: wait.hold && [wait.hold.hour_start, wait.hold.hour_end],
      held_until: wait.hold && new Date(wait.hold.until).toISOString(),
    }));
  }

  /** Whether the member may accept the hold. */
  mayAccept({ who, hold }: ModelWait, { budget, active, used, may_submit }: ModelFacts): boolean {
    if (!hold || !may_submit) return false;
    const length = hold.hour_end - hold.hour_start;
    if (length > (budget.day ?? length)) return false;
    return !active || budget.event === null || (used.get(who) ?? 0) + length <= budget.event;
  }

  #left({ who }: ModelWait, { budget, active, used }: ModelFacts): number {
    const day = budget.day ?? VOUCHER;
    if (!active || budget.event === null) return day;
    const held = this.waits.filter(
      (wait) => wait.who === who && wait.hold && (wait.hold.event_id ?? active.id) === active.id,
    );
    const hours = held.reduce(
      (sum, { hold }) => sum + (hold ? hold.hour_end - hold.hour_start : 0),
      used.get(who) ?? 0,
    );
    return Math.min(day, budget.event - hours);
  }

  /** The hours of a range that are occupied and not over. */
  occupiedIn(
    {
      respawn_id,
      date,
      hour_start,
      hour_end,
    }: Pick<ModelWait, 'respawn_id' | 'date' | 'hour_start' | 'hour_end'>,
    { hours, now }: ModelFacts,
  ): number[] {
    return Array.from({ length: hour_end - hour_start }, (_, n) => hour_start + n).filter(
      (hour) =>
        beginOf(date) + (hour + 1) * HOUR > now &&
        (hours.has(`${respawn_id} ${date} ${hour}`) ||
          this.holdAt(respawn_id, date, hour) !== undefined),
    );
  }

  #bestRun(wait: ModelWait, facts: ModelFacts): { hour_start: number; hour_end: number } | null {
    const isFree = (hour: number): boolean =>
      !facts.hours.has(`${wait.respawn_id} ${wait.date} ${hour}`) &&
      !this.holdAt(wait.respawn_id, wait.date, hour) &&
      beginOf(wait.date) + (hour + 1) * HOUR > facts.now;
    const isOffer = (run: number[]): boolean =>
      run.every(isFree) && run.some((hour) => wait.wanted.includes(hour));
    const most = Math.min(VOUCHER, this.#left(wait, facts));
    for (let length = most; length >= wait.min_hours; length -= 1)
      for (let hour_start = wait.hour_start; hour_start + length <= wait.hour_end; hour_start += 1)
        if (isOffer(Array.from({ length }, (_, n) => hour_start + n)))
          return { hour_start, hour_end: hour_start + length };
    return null;
  }
}

/** Times at which the entry, its hold, or the quiet hours that skipped it end, in milliseconds. */
export const endsOf = ({ date, hour_end, hold, quiet_until }: ModelWait): number[] => [
  beginOf(date) + hour_end * HOUR,
  ...(hold ? [hold.until] : []),
  ...(quiet_until === null ? [] : [quiet_until]),
];

/** Minute by minute; null: it is not quiet. */
function quietUntil(
  hours: { from: number; until: number } | undefined,
  now: number,
): number | null {
  const isQuiet = (at: number): boolean => {
    const minute = Math.floor(at / 60_000) % 1_440;
    if (!hours) return false;
    const { from, until } = hours;
    return from < until ? from <= minute && minute < until : from <= minute || minute < until;
  };
  if (!isQuiet(now)) return null;
  let end = Math.floor(now / 60_000) * 60_000;
  while (isQuiet(end)) end += 60_000;
  return end;
}

const isVoid = ({ date, hour_end, respawn_id }: ModelWait, { now, spots }: ModelFacts): boolean =>
  beginOf(date) + hour_end * HOUR <= now || !spots.has(respawn_id);

function fitsEvent({ date, event_id, hold }: ModelWait, { active }: ModelFacts): boolean {
  // A hold made without an event belongs to the one that is activated.
  const its = event_id ?? (hold ? (active?.id ?? null) : null);
  return (
    its === null ||
    (its === active?.id && !active.is_single && active.first <= date && date <= active.last)
  );
}

function untilOf(
  { date }: ModelWait,
  run: { hour_start: number; hour_end: number },
  { now, hold_minutes }: ModelFacts,
): number {
  const start = beginOf(date) + run.hour_start * HOUR;
  const end = beginOf(date) + run.hour_end * HOUR;
  const quarter = (end - Math.max(now, start)) / 4;
  return Math.trunc(now + Math.min(hold_minutes * 60_000, Math.max(quarter, 120_000)));
}
