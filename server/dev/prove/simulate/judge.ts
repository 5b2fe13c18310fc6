import type { Command, Moment } from './command.ts';
import {
  claimIdsOn,
  inTheWay,
  judgeClear,
  judgeEdit,
  judgeGive,
  judgeMoveClaim,
  judgeUndo,
  take,
} from './judge-claims.ts';
import { judgeAnswer, judgeQueue } from './judge-lines.ts';
import { judgeConfirm, judgeGiveBack } from './judge-own.ts';
import { judgeBudget, judgeQuiet, judgeRules, judgeSubmissionSwitch } from './judge-settings.ts';
import { judgeSubmission } from './judge-submission.ts';
import { judgeOffer, judgeOfferAnswer } from './judge-transfers.ts';
import { allow, IDLE, idIn, type Judgement, refuse, simply } from './judgement.ts';
import { datesOf, endClaims, type Held, heldIn, holdingsOf, type Model } from './model.ts';
import { leaveAll, leaveWaitlists, reopenEntries } from './waits.ts';
import { judgeEndWeekly, judgeMade, judgeNewWeekly, judgePause } from './weekly.ts';

const ofEvent = (model: Model, event: number): number[] =>
  [...model.claims].filter(([, claim]) => claim.event === event).map(([id]) => id);

/** Judges a command by the model alone. */
export function judge(model: Model, command: Command, moment: Moment): Judgement {
  switch (command.do) {
    case 'submit':
      return judgeSubmission(model, command, moment);
    case 'edit':
      return judgeEdit(model, command, moment);
    case 'move claim':
      return judgeMoveClaim(model, command);
    case 'offer claim':
    case 'offer swap':
      return judgeOffer(model, command, moment);
    case 'take offer':
    case 'refuse offer':
    case 'withdraw offer':
      return judgeOfferAnswer(model, command, moment);
    case 'make weekly':
      return judgeNewWeekly(model, command, moment);
    case 'pause weekly':
      return judgePause(model, command, moment);
    case 'end weekly':
      return judgeEndWeekly(model, command, moment);
    case 'server makes':
      return judgeMade(model, command, moment);
    case 'give claim':
      return judgeGive(model, command, moment);
    case 'queue':
      return judgeQueue(model, command, moment);
    case 'accept':
    case 'decline':
    case 'leave':
      return judgeAnswer(model, command, moment);
    case 'give back':
      return judgeGiveBack(model, command, moment);
    case 'confirm':
      return judgeConfirm(model, command, moment);
    case 'set rules':
      return judgeRules(model, command);
    case 'be quiet':
      return judgeQuiet(model, command);
    case 'budget':
      return judgeBudget(model, command);
    case 'delete':
      if (!model.claims.has(command.claim)) return refuse('claim.notFound');
      return simply(() => take(model, `claim ${command.claim}`, [command.claim], 'admin'));
    case 'clear':
      return judgeClear(model, command.spot);
    case 'undo':
      return judgeUndo(model, command, moment);
    case 'create event':
      return allow((outcome, stored) => {
        const id = outcome ? idIn(outcome.data) : stored.events.get(command.name);
        if (id == null) return 'an event without an id';
        model.events.set(id, {
          single: command.single,
          from: command.from,
          to: command.to,
          active: false,
        });
        return null;
      });
    case 'switch event': {
      const event = model.events.get(command.event);
      if (!event) return refuse('event.notFound');
      if (event.active === command.on) return IDLE;
      return simply(() => {
        if (command.on) for (const other of model.events.values()) other.active = false;
        event.active = command.on;
        if (command.on) reopenEntries(model, command.event, moment);
      });
    }
    case 'move event':
      return judgeMove(model, command);
    case 'delete event': {
      const event = model.events.get(command.event);
      if (!event) return refuse('event.notFound');
      return simply(() => {
        take(model, `event ${command.event}`, ofEvent(model, command.event), 'event', {
          id: command.event,
          known: { ...event, active: false },
        });
        model.events.delete(command.event);
      });
    }
    case 'switch spot':
      if (!model.spots.has(command.spot)) return refuse('respawn.notFound');
      if (model.spots.get(command.spot) === command.on) return IDLE;
      return simply(() => model.spots.set(command.spot, command.on));
    case 'delete spot':
      if (!model.spots.has(command.spot)) return refuse('respawn.notFound');
      return simply(() => {
        endClaims(model, claimIdsOn(model, command.spot), 'respawn');
        model.spots.delete(command.spot);
        for (const [id, { spot }] of model.weekly)
          if (spot === command.spot) model.weekly.delete(id);
      });
    case 'switch submission':
      return judgeSubmissionSwitch(model, command.on);
    default:
      return judgeKey(model, command);
  }
}

/** An entry has the type of its key. */
function retypeWaits(model: Model, who: string, type: string): void {
  for (const [id, wait] of model.waits)
    if (wait.who === who) model.waits.set(id, { ...wait, type });
}

function judgeKey(
  model: Model,
  command: Extract<Command, { do: `${string} key` | 'ban' }>,
): Judgement {
  if (command.do === 'ban') {
    if (model.banned.has(command.who) === command.on)
      return refuse(command.on ? 'character.alreadyBanned' : 'character.notBanned');
    return simply(() => {
      if (!command.on) model.banned.delete(command.who);
      else model.banned.add(command.who);
      if (command.on) leaveAll(model, command.who);
    });
  }
  if (command.do === 'create key') {
    const reasons = [
      ...(model.banned.has(command.who) ? ['character.banned'] : []),
      ...(model.keys.has(command.who) ? ['key.exists'] : []),
    ];
    if (reasons.length > 0) return refuse(...reasons);
    return allow((outcome, stored) => {
      const id = outcome ? idIn(outcome.data) : stored.keys.get(command.who);
      if (id == null) return 'a key without an id';
      model.keys.set(command.who, { id, revoked: false, type: command.type });
      retypeWaits(model, command.who, command.type);
      return null;
    });
  }
  const [who, key] = [...model.keys].find(([, { id }]) => id === command.key) ?? [];
  if (who === undefined || !key) return refuse('key.notFound');
  if (command.do === 'delete key') {
    return simply(() => {
      model.keys.delete(who);
      leaveAll(model, who);
    });
  }
  if (command.do === 'retype key' && key.revoked) return refuse('key.notActive');
  return simply(() => {
    if (command.do === 'retype key') {
      key.type = command.type;
      retypeWaits(model, who, command.type);
    } else {
      key.revoked = command.on;
      if (command.on) leaveWaitlists(model, who);
    }
  });
}

function judgeMove(
  model: Model,
  { event: id, from, to }: Extract<Command, { do: 'move event' }>,
): Judgement {
  const event = model.events.get(id);
  if (!event) return refuse('event.notFound');
  const ids = ofEvent(model, id);
  // Holds outside the new dates end.
  const claims = [...model.claims.values()].filter(
    (claim) => claim.event === id && claim.until === null,
  );
  // Holds alone end elsewhere.
  const isOutside = claims.some(
    ({ date, until }) => until === null && date !== null && (date < from || date > to),
  );
  if (isOutside) return refuse('event.claimsOutside');
  const after: Model = { ...model, events: new Map(model.events).set(id, { ...event, from, to }) };
  const held = heldIn(model, new Set(ids));
  const taken = claims.flatMap((claim) =>
    event.single && datesOf(after, claim).length > 0 ? takes(after, claim) : [],
  );
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
