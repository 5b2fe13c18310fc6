import type { Deed, Moment } from './deed.ts';
import { judgeSubmission } from './judge-submission.ts';
import type { Judgement } from './judgement.ts';
import { datesOf, dropClaims, type Held, heldIn, holdingsOf, type Model, type Taken, waitingBeside } from './model.ts';

const refuse = (...reasons: string[]): Judgement => ({ reasons: new Set(reasons), apply: () => null });
const allow = (apply: Judgement['apply']): Judgement => ({ reasons: new Set(), apply });
/** For what changes the model whatever the answer says beside its success. */
const simply = (change: () => void): Judgement =>
  allow(() => {
    change();
    return null;
  });

export function idIn(data: unknown): number | null {
  return typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'number' ? data.id : null;
}

/** Notes a deletion, so that it can be undone. */
function take(model: Model, what: string, ids: Iterable<number>, event: Taken['event'] = null): number {
  const claims = new Map<number, Held>();
  for (const id of ids) {
    const claim = model.claims.get(id);
    if (claim) claims.set(id, claim);
  }
  const waiting = new Map([...claims.keys()].map((id) => [id, waitingBeside(model, id)]));
  dropClaims(model, [...claims.keys()]);
  if (claims.size > 0 || event) model.taken.set(what, [...(model.taken.get(what) ?? []), { claims, event, waiting, undone: false }]);
  return claims.size;
}

const standingOn = (model: Model, spot: number): number[] =>
  [...model.claims].filter(([, claim]) => claim.parts.some((part) => part.spot === spot)).map(([id]) => id);
const ofEvent = (model: Model, event: number): number[] => [...model.claims].filter(([, claim]) => claim.event === event).map(([id]) => id);

/** Judges a deed by the model alone. */
export function judge(model: Model, deed: Deed, moment: Moment): Judgement {
  switch (deed.do) {
    case 'submit':
      return judgeSubmission(model, deed, moment);
    case 'edit':
      return judgeEdit(model, deed);
    case 'delete':
      if (!model.claims.has(deed.claim)) return refuse('claim.notFound');
      return simply(() => take(model, `claim ${deed.claim}`, [deed.claim]));
    case 'clear':
      return judgeClear(model, deed.spot);
    case 'undo':
      return judgeUndo(model, deed);
    case 'create event':
      return allow((outcome, stored) => {
        const id = outcome ? idIn(outcome.data) : stored.events.get(deed.name);
        if (id == null) return 'an event without an id';
        model.events.set(id, { single: deed.single, from: deed.from, to: deed.to, active: false });
        return null;
      });
    case 'switch event': {
      const event = model.events.get(deed.event);
      if (!event) return refuse('event.notFound');
      return simply(() => {
        if (deed.on) for (const other of model.events.values()) other.active = false;
        event.active = deed.on;
      });
    }
    case 'move event':
      return judgeMove(model, deed);
    case 'delete event': {
      const event = model.events.get(deed.event);
      if (!event) return refuse('event.notFound');
      return simply(() => {
        take(model, `event ${deed.event}`, ofEvent(model, deed.event), { id: deed.event, known: { ...event, active: false } });
        model.events.delete(deed.event);
      });
    }
    case 'switch spot':
      if (!model.spots.has(deed.spot)) return refuse('respawn.notFound');
      return simply(() => model.spots.set(deed.spot, deed.on));
    case 'delete spot':
      if (!model.spots.has(deed.spot)) return refuse('respawn.notFound');
      return simply(() => {
        dropClaims(model, standingOn(model, deed.spot));
        model.spots.delete(deed.spot);
      });
    case 'switch submission':
      return simply(() => {
        model.submission = deed.on;
      });
    default:
      return judgeKey(model, deed);
  }
}

function judgeKey(model: Model, deed: Extract<Deed, { do: `${string} key` | 'ban' }>): Judgement {
  if (deed.do === 'ban') {
    if (model.banned.has(deed.who) === deed.on) return refuse(deed.on ? 'character.alreadyBanned' : 'character.notBanned');
    return simply(() => (deed.on ? model.banned.add(deed.who) : model.banned.delete(deed.who)));
  }
  if (deed.do === 'create key') {
    const reasons = [...(model.banned.has(deed.who) ? ['session.banned'] : []), ...(model.keys.has(deed.who) ? ['key.exists'] : [])];
    if (reasons.length > 0) return refuse(...reasons);
    return allow((outcome, stored) => {
      const id = outcome ? idIn(outcome.data) : stored.keys.get(deed.who);
      if (id == null) return 'a key without an id';
      model.keys.set(deed.who, { id, revoked: false, type: deed.type });
      return null;
    });
  }
  const [who, key] = [...model.keys].find(([, { id }]) => id === deed.key) ?? [];
  if (who === undefined || !key) return refuse('key.notFound');
  if (deed.do === 'delete key') return simply(() => model.keys.delete(who));
  if (deed.do === 'retype key' && key.revoked) return refuse('key.notActive');
  return simply(() => {
    if (deed.do === 'retype key') key.type = deed.type;
    else key.revoked = deed.on;
  });
}

function judgeEdit(model: Model, { claim: id, start, end }: Extract<Deed, { do: 'edit' }>): Judgement {
  const claim = model.claims.get(id);
  if (!claim) return refuse('claim.notFound');
  if (claim.parts.length > 1) return refuse('times.splitClaim');
  if (end <= start) return refuse(end < 1 ? 'times.endOutOfRange' : 'times.endBeforeStart');
  const after = { ...claim, parts: claim.parts.map((part) => ({ ...part, start, end })) };
  const held = heldIn(model, new Set([id]));
  const isTaken = holdingsOf(model, after).hours.some((hour) => held.has(hour));
  if (isTaken) return refuse(claim.date === null ? 'claim.timeConflictInEvent' : 'claim.timeConflict');
  return simply(() => {
    model.claims.set(id, after);
    for (const waiting of waitingBeside(model, id)) follow(model, waiting, claim, end - start);
  });
}

/** What waits beside a claim lasts as long as that, once it lasts otherwise than before. */
function follow(model: Model, waiting: number, { parts }: Held, length: number): void {
  const claim = model.claims.get(waiting);
  const before = parts.reduce((sum, part) => sum + part.end - part.start, 0);
  if (!claim || before === length) return;
  const ending = claim.parts.map((part) => ({ ...part, end: Math.min(part.start + length, 24) }));
  model.claims.set(waiting, { ...claim, parts: ending });
}

function judgeClear(model: Model, spot: number): Judgement {
  if (!model.spots.has(spot)) return refuse('respawn.notFound');
  const active = [...model.events].find(([, event]) => event.active);
  const ids = standingOn(model, spot).filter((id) => !active || model.claims.get(id)?.event === active[0]);
  return allow((outcome) => {
    const cleared = take(model, `spot ${spot}`, ids);
    const { data } = outcome ?? {};
    const told = typeof data === 'object' && data !== null && 'deletedCount' in data ? data.deletedCount : null;
    return outcome && told !== cleared ? `told of ${told} cleared claims; there were ${cleared}` : null;
  });
}

function judgeUndo(model: Model, { of, nth }: Extract<Deed, { do: 'undo' }>): Judgement {
  const taken = model.taken.get(of)?.[nth];
  if (!taken) return refuse('activity.notFound', 'activity.nothingToUndo');
  if (taken.undone) return refuse('activity.alreadyUndone');
  const { event, claims, waiting } = taken;
  const after: Model = { ...model, events: new Map(model.events) };
  if (event) after.events.set(event.id, event.known);
  const reasons = new Set<string>();
  const held = heldIn(model);
  for (const claim of claims.values()) {
    const period = claim.event === null ? null : after.events.get(claim.event);
    if (claim.parts.some(({ spot }) => !model.spots.has(spot)) || period === undefined) reasons.add('activity.goneMeanwhile');
    else if (period && claim.date !== null && (claim.date < period.from || claim.date > period.to)) reasons.add('event.claimsOutside');
    const { hours, days } = holdingsOf(after, claim);
    if ([...hours, ...days].some((holding) => held.has(holding))) reasons.add('activity.hoursTaken');
  }
  if (reasons.size > 0) return refuse(...reasons);
  return simply(() => {
    if (event) model.events.set(event.id, event.known);
    for (const [id, claim] of claims) model.claims.set(id, claim);
    for (const [id, { beside, ...claim }] of claims)
      if (beside !== null && !model.claims.has(beside)) model.claims.set(id, { ...claim, beside: null });
    for (const [beside, ids] of waiting) {
      for (const id of ids) {
        const claim = model.claims.get(id);
        if (claim) model.claims.set(id, { ...claim, beside });
      }
    }
    taken.undone = true;
  });
}

function judgeMove(model: Model, { event: id, from, to }: Extract<Deed, { do: 'move event' }>): Judgement {
  const event = model.events.get(id);
  if (!event) return refuse('event.notFound');
  const ids = ofEvent(model, id);
  const claims = ids.map((claim) => model.claims.get(claim)).filter((claim) => claim !== undefined);
  const isOutside = claims.some(({ date }) => date !== null && (date < from || date > to));
  if (isOutside) return refuse('event.claimsOutside');
  const after: Model = { ...model, events: new Map(model.events).set(id, { ...event, from, to }) };
  const held = heldIn(model, new Set(ids));
  const isTaken = claims.some((claim) => datesOf(after, claim).length > 0 && takes(after, claim).some((holding) => held.has(holding)));
  if (isTaken) return refuse('event.hoursTaken');
  return simply(() => {
    event.from = from;
    event.to = to;
  });
}

function takes(model: Model, claim: Held): string[] {
  const { hours, days } = holdingsOf(model, claim);
  return [...hours, ...days];
}
