import type { Deed, Moment } from './deed.ts';
import { inTheWay, judgeClear, judgeEdit, judgeMoveClaim, judgeUndo, standingOn, take } from './judge-claims.ts';
import { judgeAnswer, judgeQueue } from './judge-lines.ts';
import { judgeConfirm, judgeGiveBack } from './judge-own.ts';
import { judgeBudget, judgeQuiet, judgeRules, judgeSubmissionSwitch } from './judge-settings.ts';
import { judgeSubmission } from './judge-submission.ts';
import { allow, IDLE, idIn, type Judgement, refuse, simply } from './judgement.ts';
import { datesOf, endClaims, type Held, heldIn, holdingsOf, type Model } from './model.ts';
import { leaveAll } from './waits.ts';

const ofEvent = (model: Model, event: number): number[] => [...model.claims].filter(([, claim]) => claim.event === event).map(([id]) => id);

/** Judges a deed by the model alone. */
export function judge(model: Model, deed: Deed, moment: Moment): Judgement {
  switch (deed.do) {
    case 'submit':
      return judgeSubmission(model, deed, moment);
    case 'edit':
      return judgeEdit(model, deed, moment);
    case 'move claim':
      return judgeMoveClaim(model, deed);
    case 'queue':
      return judgeQueue(model, deed, moment);
    case 'accept':
    case 'decline':
    case 'leave':
      return judgeAnswer(model, deed, moment);
    case 'give back':
      return judgeGiveBack(model, deed, moment);
    case 'confirm':
      return judgeConfirm(model, deed, moment);
    case 'set rules':
      return judgeRules(model, deed);
    case 'be quiet':
      return judgeQuiet(model, deed);
    case 'budget':
      return judgeBudget(model, deed);
    case 'delete':
      if (!model.claims.has(deed.claim)) return refuse('claim.notFound');
      return simply(() => take(model, `claim ${deed.claim}`, [deed.claim], 'admin'));
    case 'clear':
      return judgeClear(model, deed.spot);
    case 'undo':
      return judgeUndo(model, deed, moment);
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
      if (event.active === deed.on) return IDLE;
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
        take(model, `event ${deed.event}`, ofEvent(model, deed.event), 'event', { id: deed.event, known: { ...event, active: false } });
        model.events.delete(deed.event);
      });
    }
    case 'switch spot':
      if (!model.spots.has(deed.spot)) return refuse('respawn.notFound');
      if (model.spots.get(deed.spot) === deed.on) return IDLE;
      return simply(() => model.spots.set(deed.spot, deed.on));
    case 'delete spot':
      if (!model.spots.has(deed.spot)) return refuse('respawn.notFound');
      return simply(() => {
        endClaims(model, standingOn(model, deed.spot), 'respawn');
        model.spots.delete(deed.spot);
      });
    case 'switch submission':
      return judgeSubmissionSwitch(model, deed.on);
    default:
      return judgeKey(model, deed);
  }
}

/** Whoever waits is of the type that the key is of. */
function retypeWaits(model: Model, who: string, type: string): void {
  for (const [id, wait] of model.waits) if (wait.who === who) model.waits.set(id, { ...wait, type });
}

function judgeKey(model: Model, deed: Extract<Deed, { do: `${string} key` | 'ban' }>): Judgement {
  if (deed.do === 'ban') {
    if (model.banned.has(deed.who) === deed.on) return refuse(deed.on ? 'character.alreadyBanned' : 'character.notBanned');
    return simply(() => {
      if (!deed.on) model.banned.delete(deed.who);
      else model.banned.add(deed.who);
      if (deed.on) leaveAll(model, deed.who);
    });
  }
  if (deed.do === 'create key') {
    const reasons = [...(model.banned.has(deed.who) ? ['session.banned'] : []), ...(model.keys.has(deed.who) ? ['key.exists'] : [])];
    if (reasons.length > 0) return refuse(...reasons);
    return allow((outcome, stored) => {
      const id = outcome ? idIn(outcome.data) : stored.keys.get(deed.who);
      if (id == null) return 'a key without an id';
      model.keys.set(deed.who, { id, revoked: false, type: deed.type });
      retypeWaits(model, deed.who, deed.type);
      return null;
    });
  }
  const [who, key] = [...model.keys].find(([, { id }]) => id === deed.key) ?? [];
  if (who === undefined || !key) return refuse('key.notFound');
  if (deed.do === 'delete key') {
    return simply(() => {
      model.keys.delete(who);
      leaveAll(model, who);
    });
  }
  if (deed.do === 'retype key' && key.revoked) return refuse('key.notActive');
  return simply(() => {
    if (deed.do === 'retype key') {
      key.type = deed.type;
      retypeWaits(model, who, deed.type);
    } else {
      key.revoked = deed.on;
      if (deed.on) leaveAll(model, who);
    }
  });
}

function judgeMove(model: Model, { event: id, from, to }: Extract<Deed, { do: 'move event' }>): Judgement {
  const event = model.events.get(id);
  if (!event) return refuse('event.notFound');
  const ids = ofEvent(model, id);
  // Hours that are only held end where they lie outside then.
  const claims = [...model.claims.values()].filter((claim) => claim.event === id && claim.until === null);
  // What is only held ends outside.
  const isOutside = claims.some(({ date, until }) => until === null && date !== null && (date < from || date > to));
  if (isOutside) return refuse('event.claimsOutside');
  const after: Model = { ...model, events: new Map(model.events).set(id, { ...event, from, to }) };
  const held = heldIn(model, new Set(ids));
  const taken = claims.flatMap((claim) => (event.single && datesOf(after, claim).length > 0 ? takes(after, claim) : []));
  const reasons = inTheWay(model, taken, held, 'event.hoursTaken', 'hold.taken');
  if (reasons.length > 0) return refuse(...reasons);
  return simply(() => {
    event.from = from;
    event.to = to;
  });
}

function takes(model: Model, claim: Held): string[] {
  const { hours, days } = holdingsOf(model, claim);
  return [...hours, ...days];
}
