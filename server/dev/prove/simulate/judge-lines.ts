import type { Command, Moment } from './command.ts';
import { isAwaited } from './judge-claims.ts';
import { judgeBudgetOf, shutOutBy } from './judge-submission.ts';
import { allow, idIn, type Judgement, refuse, unless } from './judgement.ts';
import { activeIn, heldIn, type Model, pausedUntil, VOUCHER } from './model.ts';
import { leave } from './waits.ts';

/** The maximum of open entries of a character. */
const LINES = 3;
/** The type of a character without a key, for whom an admin acts. */
const UNKNOWN_TYPE = 'member';

/** Whether a character may join a waitlist. */
export function judgeQueue(
  model: Model,
  command: Extract<Command, { do: 'queue' }>,
  moment: Moment,
): Judgement {
  const { who, asAdmin, spot, date, start, end, least } = command;
  const shutOut = asAdmin ? null : shutOutBy(model, who);
  if (shutOut) return shutOut;
  const reasons = new Set<string>();
  if (asAdmin && model.banned.has(who)) reasons.add('character.banned');
  if (!asAdmin && pausedUntil(model, who, moment.ms) !== null) reasons.add('claim.missedTooMany');
  if (!model.spots.has(spot)) reasons.add('respawn.notFound');
  else if (!model.spots.get(spot)) reasons.add('respawn.disabled');
  if (!model.rules.waits || !model.submission) reasons.add('wait.disabled');
  if (end - start > VOUCHER) reasons.add('wait.tooLong');
  if (least > end - start) reasons.add('wait.tooShort');
  const [event, active] = activeIn(model) ?? [null, null];
  if (active?.single) reasons.add('wait.singleClaim');
  if (date < moment.today) reasons.add('wait.dateOver');
  if (active && (date < active.from || date > active.to)) reasons.add('claim.dateOutsideEvent');
  if (date === moment.today && end <= moment.hour) reasons.add('wait.hoursOver');
  const wanted = occupiedByOthers(model, command, moment);
  judgeOthers(model, command, wanted, reasons);
  const type = model.keys.get(who)?.type ?? UNKNOWN_TYPE;
  if (reasons.size > 0) return refuse(...reasons);
  return allow((outcome, stored) => {
    const id = outcome ? idIn(outcome.data) : stored.waits.shift();
    if (id == null) return 'a wait without an id';
    if ([...model.waits.keys(), ...model.left.keys()].some((other) => other >= id))
      return `wait ${id} is before one who came earlier`;
    model.waits.set(id, {
      who,
      type,
      event,
      spot,
      date,
      start,
      end,
      least,
      wanted,
      byAdmin: asAdmin,
      hold: null,
      quiet: null,
    });
    return null;
  });
}

function judgeOthers(
  model: Model,
  { who, spot, date }: Extract<Command, { do: 'queue' }>,
  occupied: readonly number[],
  reasons: Set<string>,
): void {
  const day = heldIn(model).get(`${who} ${date}`);
  if (day !== undefined)
    reasons.add(model.claims.get(day)?.until === null ? 'wait.hasClaim' : 'hold.isYours');
  const own = [...model.waits.values()].filter((wait) => wait.who === who);
  if (own.length >= LINES) reasons.add('wait.tooMany');
  if (own.some((wait) => wait.spot === spot && wait.date === date)) reasons.add('wait.exists');
  if (occupied.length === 0) reasons.add('wait.nothingTaken');
}

/** The hours of a range that others occupy and that are not over. */
function occupiedByOthers(
  model: Model,
  { who, spot, date, start, end }: Extract<Command, { do: 'queue' }>,
  moment: Moment,
): number[] {
  const held = heldIn(model);
  return Array.from({ length: end - start }, (_, at) => start + at).filter((hour) => {
    const holder = held.get(`${spot} ${date} ${hour}`);
    return (
      holder !== undefined &&
      model.claims.get(holder)?.who !== who &&
      (date > moment.today || hour >= moment.hour)
    );
  });
}

/** A member accepts or declines an offer, or leaves the waitlist. */
export function judgeAnswer(
  model: Model,
  { do: what, wait: id, who }: Extract<Command, { do: 'accept' | 'decline' | 'leave' }>,
  moment: Moment,
): Judgement {
  const shutOut = who === null ? null : shutOutBy(model, who);
  if (shutOut) return shutOut;
  const wait = model.waits.get(id);
  const left = model.left.get(id);
  if (!wait && !left) return refuse('wait.notFound');
  if (!wait)
    return refuse(
      'wait.otherCharacter',
      what === 'leave' ? 'wait.notFound' : left?.status === 'lapsed' ? 'hold.over' : 'wait.notOpen',
    );
  if (who !== null && wait.who !== who) return refuse('wait.otherCharacter');
  if (what === 'leave') return unless(new Set(), () => leave(model, id, 'withdrawn'));
  const claim = wait.hold === null ? undefined : model.claims.get(wait.hold);
  if (!claim || wait.hold === null) return refuse('wait.notOffered');
  if (what === 'decline') return unless(new Set(), () => leave(model, id, 'declined'));
  const { hold } = wait;
  const reasons = new Set<string>();
  if (who !== null && pausedUntil(model, who, moment.ms) !== null)
    reasons.add('claim.missedTooMany');
  if (who !== null) judgeBudgetOf(model, who, wait.type, [claim], reasons);
  // The last minutes of hours are held until after them.
  const isOver = (end: number): boolean =>
    wait.date < moment.today || (wait.date === moment.today && end <= moment.hour);
  if (who !== null && claim.parts.some(({ end }) => isOver(end))) reasons.add('claim.hoursOver');
  return unless(reasons, () => {
    const parts = claim.parts.map((part) => ({
      ...part,
      awaited: isAwaited(model, claim, part.start, moment),
    }));
    const [event] = activeIn(model) ?? [null];
    model.claims.set(hold, { ...claim, event, parts, until: null });
    leave(model, id, 'accepted');
  });
}
