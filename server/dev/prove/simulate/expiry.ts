import type { Moment } from './command.ts';
import {
  datesOf,
  endClaims,
  type Held,
  type InLine,
  lengthOf,
  type Model,
  noteEnding,
  type Part,
  type Reason,
  waitingBeside,
} from './model.ts';
import { beginOf, MINUTE_MS } from './moment.ts';
import { type Holds, leave, serve } from './waits.ts';

/** From this long before its start a claim can be confirmed; a later submission needs no confirmation. */
export const OPENS_MS = 15 * MINUTE_MS;

export const closesOf = ({ rules }: Model, date: string, { start }: Part): number =>
  beginOf(date, start) + rules.grace * MINUTE_MS;

interface Missed {
  id: number;
  at: number;
}

const missedIn = (model: Model): Missed[] =>
  [...model.claims].flatMap(([id, { date, parts }]) =>
    parts.flatMap((part) =>
      part.awaited && date !== null ? [{ id, at: closesOf(model, date, part) }] : [],
    ),
  );
const endOf = (model: Model, { hold }: InLine): number =>
  (hold === null ? null : model.claims.get(hold)?.until) ?? Number.POSITIVE_INFINITY;

/** For callers that only need the time. */
const NO_MOMENT: Moment = { today: '', hour: 0, iso: '', ms: 0 };

/** Expiring records: when the first of each kind expires, in milliseconds, and how to end all that are due. */
const sortsIn = (model: Model, moment: Moment): { at: number; end: (until: number) => void }[] =>
  [
    {
      at: Math.min(...missedIn(model).map(({ at }) => at)),
      end: (until: number) => endNoShows(model, until, moment),
    },
    {
      at: Math.min(...[...model.waits.values()].map((wait) => endOf(model, wait))),
      end: (until: number) => expireEntries(model, until),
    },
    {
      at: Math.min(...[...model.waits.values()].map(overAt)),
      end: (until: number) => voidEntries(model, until),
    },
    {
      at: Math.min(...[...model.waits.values()].map(wakesAt)),
      end: (until: number) => endQuietHours(model, until),
    },
  ].sort((one, other) => (one.at === other.at ? 0 : one.at - other.at));

/** When the last of the wanted hours is over. */
const overAt = ({ date, end }: InLine): number => beginOf(date, end);

/** When the quiet hours end that skipped the entry. */
const wakesAt = ({ quiet }: InLine): number => quiet ?? Number.POSITIVE_INFINITY;

/** When the next thing expires, in milliseconds; Infinity: never. */
export const nextEnd = (model: Model): number =>
  sortsIn(model, NO_MOMENT)[0]?.at ?? Number.POSITIVE_INFINITY;

/** Whether something has expired that no write has ended yet; or time went back since the last write, and holds last too long. */
export const isStale = (model: Model, { ms }: Moment): boolean =>
  nextEnd(model) <= ms ||
  ms < model.latest ||
  [...model.offers.values()].some(({ until }) => until <= ms);

/** Something is written now. */
export function noteTime(model: Model, { ms }: Moment): void {
  if (ms < model.latest) model.wentBack = true;
  model.latest = ms;
}

/** A write: expired things end, each in order, and freed hours are offered. */
export function notice(model: Model, moment: Moment, holds: Holds): void {
  noteTime(model, moment);
  for (
    let [first, second] = sortsIn(model, moment);
    first && first.at <= moment.ms;
    [first, second] = sortsIn(model, moment)
  ) {
    first.end(Math.min(second?.at ?? moment.ms, moment.ms));
  }
  if (model.wentBack) cutShort(model, moment, holds);
  serve(model, moment, holds);
}

/** The longest a hold lasts: one made by a clock that ran ahead is shortened by the next write. */
const LONGEST_MS = 60 * MINUTE_MS;

function cutShort(model: Model, { ms }: Moment, holds: Holds): void {
  for (const { claim, until } of holds.values()) {
    const held = model.claims.get(claim);
    if (held?.until != null && until !== null && held.until > ms + LONGEST_MS && until < held.until)
      held.until = until;
  }
}

function expireEntries(model: Model, until: number): void {
  for (const [id, wait] of model.waits) if (endOf(model, wait) <= until) leave(model, id, 'lapsed');
}

function voidEntries(model: Model, until: number): void {
  for (const [id, wait] of model.waits) if (overAt(wait) <= until) leave(model, id, 'void');
}

function endQuietHours(model: Model, until: number): void {
  for (const [id, wait] of model.waits)
    if (wakesAt(wait) <= until) model.waits.set(id, { ...wait, quiet: null });
}

/** No-shows: parts of claims end. */
function endNoShows(model: Model, until: number, moment: Moment): void {
  const wholes: number[] = [];
  for (const id of new Set(missedIn(model).flatMap(({ id, at }) => (at <= until ? [id] : [])))) {
    const claim = model.claims.get(id);
    if (!claim || claim.date === null) continue;
    const { date, parts } = claim;
    const missed = parts.filter((part) => part.awaited && closesOf(model, date, part) <= until);
    const [part] = missed;
    if (part) model.missed.push({ who: claim.who, claim: id, date, at: moment.ms });
    if (missed.length === parts.length) wholes.push(id);
    else if (part) giveUp(model, id, part, part.start, 'no_show', moment);
  }
  endClaims(model, wholes, 'no_show');
}

/** A claim has no hours of a part any more from one on; what waits beside it lasts as long as it. */
export function giveUp(
  model: Model,
  id: number,
  part: Part,
  from: number,
  reason: Reason,
  moment: Moment,
): void {
  const claim = model.claims.get(id);
  if (!claim) return;
  const parts = claim.parts.flatMap((other) =>
    other !== part ? [other] : from > part.start ? [{ ...part, end: from }] : [],
  );
  if (parts.length === 0) {
    endClaims(model, [id], reason);
    return;
  }
  noteEnding(model, id, { ...part, start: from }, reason);
  const after = { ...claim, parts };
  model.claims.set(id, after);
  follow(model, id, claim, after, reason, moment);
}

/** A secondary claim follows its primary's new length; its started hours stay. */
export function follow(
  model: Model,
  id: number,
  before: Held,
  after: Held,
  reason: Reason,
  { today, hour }: Moment,
): void {
  const length = lengthOf(after.parts);
  if (lengthOf(before.parts) === length) return;
  for (const waiting of waitingBeside(model, id)) {
    const claim = model.claims.get(waiting);
    if (!claim) continue;
    const last = datesOf(model, claim).at(-1) ?? '';
    const begun = last < today ? 24 : claim.date === today ? hour + 1 : 0;
    const endOfPart = ({ start, end }: Part): number =>
      end < begun ? end : Math.max(Math.min(start + length, 24), Math.min(end, begun));
    const parts = claim.parts.map((part) => ({ ...part, end: endOfPart(part) }));
    for (const [at, { spot, end }] of claim.parts.entries()) {
      const start = parts[at]?.end ?? end;
      if (start < end) noteEnding(model, waiting, { spot, start, end }, reason);
    }
    model.claims.set(waiting, { ...claim, parts });
  }
}

/** When the parts of claims start; only those to be confirmed, if there are any. */
export function startsIn(model: Model): number[] {
  const parts = [...model.claims.values()].flatMap(({ date, parts }) =>
    date === null ? [] : parts.map((part) => ({ ...part, date })),
  );
  const awaited = parts.filter((part) => part.awaited);
  return (awaited.length > 0 ? awaited : parts).map(({ date, start }) => beginOf(date, start));
}
