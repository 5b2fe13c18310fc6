import type { Command, Moment } from './command.ts';
import { follow, OPENS_MS } from './expiry.ts';
import { allow, type Judgement, refuse, unless } from './judgement.ts';
import {
  activeIn,
  endClaims,
  type Held,
  heldIn,
  holdingsOf,
  type InLine,
  type Model,
  noteEnding,
  type Part,
  type Reason,
  type Taken,
  waitingBeside,
} from './model.ts';
import { beginOf } from './moment.ts';
import { reopenTaken } from './waits.ts';

/** Notes a deletion, so that it can be undone: a hold is not put back, but its entry is reopened. */
export function take(
  model: Model,
  what: string,
  ids: Iterable<number>,
  reason: Reason,
  event: Taken['event'] = null,
): number {
  const claims = new Map<number, Held>();
  const gone: number[] = [];
  const entries = new Map<number, { wait: InLine; hours: readonly string[] }>();
  for (const id of ids) {
    const claim = model.claims.get(id);
    if (!claim) continue;
    gone.push(id);
    if (claim.until === null) claims.set(id, claim);
    for (const [wait_id, wait] of model.waits)
      if (wait.hold === id) entries.set(wait_id, { wait, hours: holdingsOf(model, claim).hours });
  }
  const waiting = new Map([...claims.keys()].map((id) => [id, waitingBeside(model, id)]));
  endClaims(model, gone, reason);
  const isKept = claims.size > 0 || entries.size > 0 || event !== null;
  const taken: Taken = { claims, event, entries, isKept, waiting, undone: false };
  if (gone.length > 0 || event) model.taken.set(what, [...(model.taken.get(what) ?? []), taken]);
  return gone.length;
}

export const claimIdsOn = (model: Model, spot: number): number[] =>
  [...model.claims]
    .filter(([, claim]) => claim.parts.some((part) => part.spot === spot))
    .map(([id]) => id);

/** Whether what begins then, and is claimed now, has to be confirmed. */
export const isAwaited = (
  { rules }: Model,
  { date, waits }: Pick<Held, 'date' | 'waits'>,
  start: number,
  { ms }: Moment,
): boolean => rules.confirm && date !== null && !waits && ms <= beginOf(date, start) - OPENS_MS;

/** The codes for hours that others have: claimed, or held for an entry. */
export function inTheWay(
  model: Model,
  holdings: readonly string[],
  held: ReadonlyMap<string, number>,
  claimed: string,
  kept: string,
): string[] {
  const holders = new Set(holdings.flatMap((holding) => held.get(holding) ?? []));
  return [...holders].map((id) => (model.claims.get(id)?.until === null ? claimed : kept));
}

export function judgeEdit(
  model: Model,
  { claim: id, start, end }: Extract<Command, { do: 'edit' }>,
  moment: Moment,
): Judgement {
  const claim = model.claims.get(id);
  if (!claim) return refuse('claim.notFound');
  if (claim.until !== null) return refuse('hold.notEdited');
  const [before] = claim.parts;
  if (claim.parts.length > 1 || !before) return refuse('times.splitClaim');
  if (end <= start) return refuse(end < 1 ? 'times.endOutOfRange' : 'times.endBeforeStart');
  const isStillAwaited = claim.date !== null && moment.ms <= beginOf(claim.date, start) - OPENS_MS;
  const after: Held = {
    ...claim,
    parts: [{ ...before, start, end, awaited: before.awaited && isStillAwaited }],
  };
  return unless(new Set(hoursInTheWay(model, id, after)), () => {
    for (const gone of without(before, { start, end })) noteEnding(model, id, gone, 'edited');
    model.claims.set(id, after);
    follow(model, id, claim, after, 'edited', moment);
  });
}

/** The hours of a part that are none of others. */
function without(
  { spot, start, end }: Part,
  other: { start: number; end: number },
): Omit<Part, 'awaited'>[] {
  if (other.end <= start || end <= other.start) return [{ spot, start, end }];
  return [
    { spot, start, end: other.start },
    { spot, start: other.end, end },
  ].filter((part) => part.start < part.end);
}

function hoursInTheWay(model: Model, id: number, after: Held): string[] {
  const conflict = after.date === null ? 'claim.timeConflictInEvent' : 'claim.timeConflict';
  return inTheWay(
    model,
    holdingsOf(model, after).hours,
    heldIn(model, new Set([id])),
    conflict,
    'hold.taken',
  );
}

export function judgeMoveClaim(
  model: Model,
  { claim: id, spot }: Extract<Command, { do: 'move claim' }>,
): Judgement {
  const claim = model.claims.get(id);
  if (!claim) return refuse('claim.notFound');
  if (claim.until !== null) return refuse('hold.notEdited');
  const [before] = claim.parts;
  if (claim.parts.length > 1 || !before) return refuse('claim.splitNotMoved');
  if (before.spot === spot) return refuse('claim.sameSpot');
  if (!model.spots.has(spot)) return refuse('respawn.notFound');
  if (!model.spots.get(spot)) return refuse('respawn.disabled');
  const others = [claim.beside, ...waitingBeside(model, id)].flatMap((other) =>
    other === null ? [] : (model.claims.get(other)?.parts ?? []),
  );
  if (others.some((part) => part.spot === spot)) return refuse('secondary.samePrimary');
  const after: Held = { ...claim, parts: [{ ...before, spot }] };
  return unless(new Set(hoursInTheWay(model, id, after)), () => {
    noteEnding(model, id, before, 'edited');
    model.claims.set(id, after);
  });
}

/** What waits beside a claim goes with it. */
export function judgeGive(
  model: Model,
  { claim: id, to }: Extract<Command, { do: 'give claim' }>,
  moment: Moment,
): Judgement {
  const claim = model.claims.get(id);
  if (!claim) return refuse('claim.notFound');
  if (claim.until !== null) return refuse('hold.notEdited');
  if (claim.waits) return refuse('transfer.secondary');
  if (claim.who === to) return refuse('transfer.self');
  if (model.banned.has(to)) return refuse('character.banned');
  const { days } = holdingsOf(model, { ...claim, who: to });
  const reasons = inTheWay(
    model,
    days,
    heldIn(model, new Set([id])),
    'claim.characterHasClaim',
    'hold.isYours',
  );
  return unless(new Set(reasons), () => {
    giveTo(model, id, to, moment);
  });
}

/** Makes it another character's, with what waits beside it; the new one has to confirm it. */
export function giveTo(
  model: Model,
  id: number,
  to: string,
  moment: Moment,
  reason: Reason = 'handed_over',
): void {
  for (const given of [id, ...waitingBeside(model, id)]) {
    const before = model.claims.get(given);
    if (!before) continue;
    for (const part of before.parts) noteEnding(model, given, part, reason);
    model.madeBy.delete(given);
    // Also claims that begin soon.
    const mustConfirm = ({ start }: Part): boolean =>
      model.rules.confirm &&
      before.date !== null &&
      !before.waits &&
      moment.ms < beginOf(before.date, start);
    const parts = before.parts.map((part) => ({ ...part, awaited: mustConfirm(part) }));
    model.claims.set(given, { ...before, who: to, parts });
  }
}

export function judgeClear(model: Model, spot: number): Judgement {
  if (!model.spots.has(spot)) return refuse('respawn.notFound');
  const active = activeIn(model);
  const ids = claimIdsOn(model, spot).filter(
    (id) => !active || model.claims.get(id)?.event === active[0],
  );
  return allow((outcome) => {
    const cleared = take(model, `spot ${spot}`, ids, 'cleared');
    const { data } = outcome ?? {};
    const deletedCount =
      typeof data === 'object' && data !== null && 'deletedCount' in data
        ? data.deletedCount
        : null;
    return outcome && deletedCount !== cleared
      ? `told of ${deletedCount} cleared claims; there were ${cleared}`
      : null;
  });
}

/** What an undo of a deletion takes back of why claims ended. */
const UNDOABLE: readonly Reason[] = ['admin', 'cleared', 'event'];

export function judgeUndo(
  model: Model,
  { of, nth }: Extract<Command, { do: 'undo' }>,
  moment: Moment,
): Judgement {
  const taken = model.taken.get(of)?.[nth];
  if (!taken) return refuse('activity.notFound', 'activity.nothingToUndo');
  if (taken.undone) return refuse('activity.alreadyUndone');
  if (!taken.isKept) return refuse('activity.nothingToUndo');
  const { event, claims, waiting } = taken;
  const after: Model = { ...model, events: new Map(model.events) };
  if (event) after.events.set(event.id, event.known);
  const reasons = new Set<string>();
  const held = heldIn(model);
  // Unanswered offers of the hours, which are withdrawn.
  const offers = new Set<number>();
  for (const claim of claims.values()) {
    const period = claim.event === null ? null : after.events.get(claim.event);
    if (claim.parts.some(({ spot }) => !model.spots.has(spot)) || period === undefined)
      reasons.add('activity.goneMeanwhile');
    else if (period && claim.date !== null && (claim.date < period.from || claim.date > period.to))
      reasons.add('event.claimsOutside');
    const { hours, days } = holdingsOf(after, claim);
    if (model.banned.has(claim.who)) reasons.add('character.banned');
    const holders = new Set([...hours, ...days].flatMap((holding) => held.get(holding) ?? []));
    for (const id of holders) {
      if (model.claims.get(id)?.until === null) reasons.add('activity.hoursTaken');
      else offers.add(id);
    }
  }
  return unless(reasons, () => {
    withdrawOffers(model, offers);
    if (event) model.events.set(event.id, event.known);
    for (const [id, claim] of claims) {
      const parts = claim.parts.map((part) => ({
        ...part,
        awaited: part.awaited && isAwaited(model, claim, part.start, moment),
      }));
      model.claims.set(id, { ...claim, parts });
    }
    for (const id of claims.keys()) {
      const claim = model.claims.get(id);
      if (claim?.beside != null && !model.claims.has(claim.beside))
        model.claims.set(id, { ...claim, beside: null });
    }
    for (const [beside, ids] of waiting) {
      for (const id of ids) {
        const claim = model.claims.get(id);
        if (claim) model.claims.set(id, { ...claim, beside });
      }
    }
    model.endings = model.endings.filter(
      ({ claim, reason }) => !(claims.has(claim) && UNDOABLE.includes(reason)),
    );
    const reopened = reopenTaken(
      model,
      new Map([...taken.entries].map(([id, { wait }]) => [id, wait])),
      moment,
    );
    const hours = new Set(reopened.flatMap((id) => taken.entries.get(id)?.hours ?? []));
    withdrawOffers(
      model,
      new Set(
        [...heldIn(model)].flatMap(([hour, id]) =>
          hours.has(hour) && isOffer(model, id) ? [id] : [],
        ),
      ),
    );
    taken.undone = true;
  });
}

const isOffer = (model: Model, id: number): boolean => model.claims.get(id)?.until !== null;

function withdrawOffers(model: Model, offers: ReadonlySet<number>): void {
  for (const [id, wait] of model.waits)
    if (wait.hold !== null && offers.has(wait.hold)) model.waits.set(id, { ...wait, hold: null });
  endClaims(model, [...offers], 'withdrawn');
}
