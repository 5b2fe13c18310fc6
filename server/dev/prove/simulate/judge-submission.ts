import type { Command, Moment, RequestedClaim } from './command.ts';
import { inTheWay, isAwaited } from './judge-claims.ts';
import { type Judgement, refuse } from './judgement.ts';
import {
  activeIn,
  datesOf,
  type Held,
  heldIn,
  holdingsOf,
  lengthOf,
  type Model,
  mayEnter,
  type Part,
  pausedUntil,
  VOUCHER,
} from './model.ts';
import { beginOf } from './moment.ts';

type Submission = Extract<Command, { do: 'submit' }>;

/** How long a second answer is the first one. */
const ANSWER_KEPT_MS = 2 * 86_400_000;
const WITH_WAITING = ['elite', 'vice'];

/** Whether a submission may be stored: the specification's rules again, written independently of the product's. */
export function judgeSubmission(model: Model, command: Submission, moment: Moment): Judgement {
  const { who, asAdmin, once } = command;
  if (command.claims.some(isMisshapen))
    return { reasons: new Set(['request.invalid']), apply: () => null };
  const shutOut = asAdmin ? null : shutOutBy(model, who);
  if (shutOut) return shutOut;
  const sender = `${asAdmin ? 'admin' : model.keys.get(who)?.id} ${once}`;
  const earlier = once === null ? undefined : model.once.get(sender);
  // An older answer has expired, even if it is still stored.
  if (earlier && earlier.at >= keptSince(moment.iso)) {
    return {
      reasons: new Set(),
      isIdle: true,
      apply: (outcome) =>
        outcome && !isSame(idsIn(outcome.data), earlier.ids)
          ? 'the second answer is not the first one'
          : null,
    };
  }
  const reasons = new Set<string>(asAdmin || model.submission ? [] : ['claim.submissionDisabled']);
  if (asAdmin && model.banned.has(who)) reasons.add('character.banned');
  if (!asAdmin && pausedUntil(model, who, moment.ms) !== null) reasons.add('claim.missedTooMany');
  const planned = plan(model, command, reasons);
  for (const claim of planned) judgeHours(model, claim, planned, reasons);
  if (planned.some(isSkipped)) reasons.add('claim.hourSkipped');
  if (!asAdmin) judgeTime(model, planned, moment, reasons);
  if (!asAdmin) judgeBudgetOf(model, who, model.keys.get(who)?.type ?? '', planned, reasons);
  return {
    reasons,
    apply: (outcome, stored) => {
      const ids = outcome ? idsIn(outcome.data) : stored.claims.splice(0, planned.length);
      if (ids.length !== planned.length)
        return `${ids.length} claims were stored instead of ${planned.length}`;
      for (const [at, claim] of planned.entries()) {
        const id = ids[at] ?? 0;
        if (model.claims.has(id)) return `claim ${id} was there already`;
        const primary = planned.findIndex(({ waits, date }) => !waits && date === claim.date);
        const parts = claim.parts.map((part) => ({
          ...part,
          awaited: isAwaited(model, claim, part.start, moment),
        }));
        model.claims.set(id, {
          ...claim,
          parts,
          beside: claim.waits ? (ids[primary] ?? null) : null,
        });
      }
      if (once !== null) remember(model, sender, ids, moment.iso);
      return null;
    },
  };
}

/** A member without a valid key. @returns null: nothing keeps this member out */
export function shutOutBy(model: Model, who: string): Judgement | null {
  if (mayEnter(model, who)) return null;
  const why = !model.keys.has(who) ? 'invalidKey' : model.banned.has(who) ? 'banned' : 'keyRevoked';
  return refuse(`session.${why}`, ...(why === 'invalidKey' ? ['request.tooManyTries'] : []));
}

/** A member has no more hours than the type's budget: of a date, and of an event with those that were claimed before. */
export function judgeBudgetOf(
  model: Model,
  who: string,
  type: string,
  requested: readonly Held[],
  reasons: Set<string>,
): void {
  const { day, event: most } = model.budgets.get(type) ?? { day: null, event: null };
  const primary = requested.filter(({ waits }) => !waits);
  if (day !== null && primary.some(({ parts }) => lengthOf(parts) > day)) reasons.add('budget.day');
  const [active] = activeIn(model) ?? [];
  if (most === null || active === undefined) return;
  const own = [...model.claims.values()].filter(
    (claim) => claim.who === who && claim.event === active && !claim.waits && claim.until === null,
  );
  const hours = [...own, ...primary].reduce(
    (sum, claim) => sum + lengthOf(claim.parts) * datesOf(model, claim).length,
    0,
  );
  if (hours > most) reasons.add('budget.event');
}

const keptSince = (at: string): string => new Date(Date.parse(at) - ANSWER_KEPT_MS).toISOString();

function remember(model: Model, sender: string, ids: readonly number[], at: string): void {
  const oldest = keptSince(at);
  for (const [other, answer] of model.once) if (answer.at < oldest) model.once.delete(other);
  model.once.set(sender, { ids, at });
}

/** The claims that a submission asks for, the waiting ones last; what refuses them goes to `reasons`. */
function plan(model: Model, { who, asAdmin, claims }: Submission, reasons: Set<string>): Held[] {
  const type = asAdmin ? 'elite' : (model.keys.get(who)?.type ?? '');
  const primary = claims.map((requested): Held => {
    return {
      who,
      waits: false,
      beside: null,
      until: null,
      parts: partsAsked(requested, reasons),
      ...when(model, requested, reasons),
    };
  });
  const waiting = claims.flatMap((requested, at): Held[] => {
    const beside = primary[at];
    if (!requested.waiting || !beside) return [];
    const { spot, start } = requested.waiting;
    if (!WITH_WAITING.includes(type)) reasons.add('secondary.typeNotAllowed');
    if (beside.parts.some((part) => part.spot === spot)) reasons.add('secondary.samePrimary');
    const length = beside.parts.reduce((sum, part) => sum + part.end - part.start, 0);
    return [
      {
        ...beside,
        waits: true,
        parts: [{ spot, start, end: Math.min(start + length, 24), awaited: false }],
      },
    ];
  });
  if (new Set(primary.map(({ date }) => date)).size < primary.length)
    reasons.add('claim.sameDateTwice');
  for (const { spot } of [...primary, ...waiting].flatMap(({ parts }) => parts)) {
    if (!model.spots.has(spot)) reasons.add('respawn.notFound');
    else if (!model.spots.get(spot)) reasons.add('respawn.disabled');
  }
  return [...primary, ...waiting];
}

function when(
  model: Model,
  { date }: RequestedClaim,
  reasons: Set<string>,
): Pick<Held, 'event' | 'date'> {
  const [id, event] = activeIn(model) ?? [null, null];
  if (event && date !== null && (date < event.from || date > event.to))
    reasons.add('claim.dateOutsideEvent');
  if (event?.single) return { event: id, date: null };
  if (date === null) reasons.add('claim.datesRequired');
  return { event: id, date: date ?? '' };
}

function partsAsked(requested: RequestedClaim, reasons: Set<string>): Part[] {
  const parts = partsOf(requested);
  const isSplit = requested.second !== null;
  const length = parts.reduce((sum, part) => sum + part.end - part.start, 0);
  if (length > VOUCHER || length < 1)
    reasons.add(isSplit ? 'split.exceedsVoucher' : 'claim.durationOutOfRange');
  if (parts.some((part) => part.end > 24))
    reasons.add(isSplit ? 'split.exceedsDay' : 'claim.exceedsDay');
  const [first, second] = parts;
  if (first && second && first.start < second.end && second.start < first.end)
    reasons.add('split.overlap');
  return parts;
}

/** The requested parts of a claim. */
function partsOf({ spot, start, hours, second }: RequestedClaim): Part[] {
  const first = { spot, start, end: start + (hours ?? VOUCHER), awaited: false };
  if (!second) return [first];
  return [
    first,
    { spot: second.spot, start: second.start, end: second.start + second.hours, awaited: false },
  ];
}

/** Refused for its shape, for all callers: a part without an hour, an end at SS+0. */
const isMisshapen = (requested: RequestedClaim): boolean =>
  partsOf(requested).some(({ start, end }) => (requested.second ? end <= start : end < 1));

function judgeHours(
  model: Model,
  claim: Held,
  planned: readonly Held[],
  reasons: Set<string>,
): void {
  const held = heldIn(model);
  const { hours, days } = holdingsOf(model, claim);
  // Two claims of one submission can only conflict on a repeated date, which is refused anyway.
  if (planned.length > 0)
    for (const code of inTheWay(model, days, held, 'claim.characterHasClaim', 'hold.isYours'))
      reasons.add(code);
  const conflict = `${claim.parts.length > 1 ? 'split' : 'claim'}.${claim.date === null ? 'timeConflictInEvent' : 'timeConflict'}`;
  for (const code of inTheWay(model, hours, held, conflict, 'hold.taken')) reasons.add(code);
}

/** The clocks skip all hours of a part. */
const isSkipped = ({ date, parts }: Held): boolean =>
  Boolean(date) &&
  parts.some(
    ({ start, end }) =>
      start < end && end <= 24 && beginOf(date ?? '', start) >= beginOf(date ?? '', end),
  );

/** A member claims no past date, and no hours that have all passed; of several dates the last one counts. */
function judgeTime(
  model: Model,
  planned: readonly Held[],
  { today, hour }: Moment,
  reasons: Set<string>,
): void {
  const [, event] = activeIn(model) ?? [];
  for (const claim of planned) {
    const last = datesOf(model, claim).at(-1) ?? '';
    const isEventOver = event !== undefined && claim.event !== null && event.to < today;
    if (last < today) reasons.add(isEventOver ? 'claim.eventOver' : 'claim.dateOver');
    const isOver = last === today && claim.parts.some((part) => part.end <= hour);
    if (isOver) reasons.add(claim.parts.length > 1 ? 'split.hoursOver' : 'claim.hoursOver');
  }
}

export function idsIn(data: unknown): number[] {
  if (!Array.isArray(data)) return [];
  const ids = data.map((row: unknown) =>
    typeof row === 'object' && row !== null && 'id' in row ? Number(row.id) : 0,
  );
  return [...new Set(ids)].sort((a, b) => a - b);
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id, at) => id === b[at]);
