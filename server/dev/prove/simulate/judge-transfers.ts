import type { Command, Moment, RequestedClaim } from './command.ts';
import { giveTo } from './judge-claims.ts';
import { judgeSubmission, shutOutBy } from './judge-submission.ts';
import { allow, idIn, type Judgement, refuse, unless } from './judgement.ts';
import {
  datesOf,
  type Held,
  type InLine,
  type Model,
  mayEnter,
  type Offer,
  waitingBeside,
} from './model.ts';
import { beginOf } from './moment.ts';

/** Offers last a day, but end when the claim begins. */
const LASTS_MS = 86_400_000;

/** A member offers a claim to another character, for nothing or for one of that character's claims. */
export function judgeOffer(
  model: Model,
  command: Extract<Command, { do: 'offer claim' | 'offer swap' }>,
  moment: Moment,
): Judgement {
  const { claim: id, who } = command;
  const shutOut = shutOutBy(model, who);
  if (shutOut) return shutOut;
  const claim = model.claims.get(id);
  const wanted = command.do === 'offer swap' ? model.claims.get(command.wanted) : null;
  if (!claim) return refuse('claim.notFound');
  if (wanted === undefined)
    return refuse('claim.notFound', ...(claim.who === who ? [] : ['transfer.otherClaim']));
  const back =
    command.do === 'offer swap' && wanted ? { claim: command.wanted, held: wanted } : null;
  const to = command.do === 'offer swap' ? (wanted?.who ?? '') : command.to;
  const reasons = mayGo(model, claim, moment);
  if (wanted) for (const code of mayGo(model, wanted, moment)) reasons.add(code);
  if (claim.who !== who) reasons.add('transfer.otherClaim');
  if (to === who) reasons.add('transfer.self');
  if (!mayEnter(model, to)) reasons.add('transfer.noMember');
  const isInOffer = (offer: Offer): boolean =>
    [offer.claim, offer.back?.claim ?? null].some(
      (one) => one === id || (back && one === back.claim),
    );
  // Before each write the server ends what has expired.
  if ([...model.offers.values()].some((offer) => isInOffer(offer) && offer.until > moment.ms))
    reasons.add('transfer.alreadyOpen');
  if (reasons.size === 0)
    for (const code of refusalsOfBoth(
      model,
      { claim: id, held: claim, back, from: who, to },
      who,
      moment,
    ))
      reasons.add(code);
  if (reasons.size > 0) return refuse(...reasons);
  return allow((outcome, stored) => {
    const offer = outcome ? idIn(outcome.data) : stored.offers.shift();
    if (offer == null) return 'an offer without an id';
    const begins = [claim, ...(wanted ? [wanted] : [])].map((held) => beginsAt(model, held));
    model.offers.set(offer, {
      claim: id,
      held: claim,
      back,
      from: who,
      to,
      until: Math.min(moment.ms + LASTS_MS, ...begins),
    });
    return null;
  });
}

/** Why one character could not take the other's claim. A refusal that concerns the other character names it. */
function refusalsOfBoth(
  model: Model,
  { claim, held, back, from, to }: Omit<Offer, 'until'>,
  caller: string,
  moment: Moment,
): Set<string> {
  const given = [claim, ...(back ? [back.claim] : [])];
  const reasons = refusalsOf(model, { claim, held, given }, to, moment);
  const named = new Set(
    caller === to || reasons.size === 0 ? reasons : [...reasons, 'transfer.cannotHave'],
  );
  if (!back) return named;
  const theirs = refusalsOf(model, { ...back, given }, from, moment);
  for (const code of caller === from || theirs.size === 0
    ? theirs
    : [...theirs, 'transfer.cannotHave'])
    named.add(code);
  return named;
}

/** Its recipient takes or refuses it, or its owner withdraws it. */
export function judgeOfferAnswer(
  model: Model,
  {
    do: what,
    offer: id,
    who,
  }: Extract<Command, { do: 'take offer' | 'refuse offer' | 'withdraw offer' }>,
  moment: Moment,
): Judgement {
  const shutOut = shutOutBy(model, who);
  if (shutOut) return shutOut;
  const known = model.offers.get(id) ?? model.pastOffers.get(id);
  if (!known) return refuse('transfer.notFound');
  if (who !== (what === 'withdraw offer' ? known.from : known.to))
    return refuse('transfer.otherCharacter');
  // A deletion that is repeated.
  const isGone =
    what === 'withdraw offer' && 'code' in known && known.code === 'transfer.wasWithdrawn';
  if (isGone) return refuse('transfer.notFound');
  if ('code' in known) return refuse(known.code);
  if (known.until <= moment.ms) return refuse('transfer.expired');
  if (what === 'withdraw offer')
    return unless(new Set(), () => end(model, id, 'transfer.wasWithdrawn'));
  if (what === 'refuse offer')
    return unless(new Set(), () => end(model, id, 'transfer.wasRefused'));
  const { claim, held, back, from, to } = known;
  const reasons = mayGo(model, held, moment);
  if (back) for (const code of mayGo(model, back.held, moment)) reasons.add(code);
  if (back && !mayEnter(model, from)) reasons.add('transfer.noMember');
  for (const code of refusalsOfBoth(model, known, to, moment)) reasons.add(code);
  return unless(reasons, () => {
    end(model, id, 'transfer.wasAccepted');
    giveTo(model, claim, to, moment, back ? 'swapped' : 'handed_over');
    if (back) giveTo(model, back.claim, from, moment, 'swapped');
  });
}

/**
 * Ends the offers of claims that are not as they were, and of hours that a member has begun to wait for.
 * @param waits the entries before
 */
export function endOffers(
  model: Model,
  waits: ReadonlySet<number>,
  moment: Moment,
  command?: Command,
): void {
  for (const [id, offer] of model.offers) {
    const claims = [offer, ...(offer.back ? [offer.back] : [])];
    const now = claims.map(({ claim }) => model.claims.get(claim));
    const isAwaited = [...model.waits].some(
      ([wait, entry]) =>
        !waits.has(wait) && claims.some(({ held }) => isOnWaitlist(model, held, entry)),
    );
    const isSame = claims.every(({ held }, at) => now[at] === held);
    const [given, returned] = now;
    if (offer.until <= moment.ms) end(model, id, 'transfer.expired');
    else if (!mayEnter(model, offer.from) || !mayEnter(model, offer.to))
      end(model, id, 'transfer.memberGone');
    // That no claim has to be confirmed any more ends no offer.
    else if (!isSame && given && (!offer.back || returned) && command?.do === 'set rules')
      model.offers.set(id, {
        ...offer,
        held: given,
        back: offer.back && returned ? { ...offer.back, held: returned } : null,
      });
    else if (!isSame) end(model, id, 'transfer.claimChanged');
    else if (isAwaited) end(model, id, 'transfer.waitlistJoined');
  }
}

function end(model: Model, id: number, code: string): void {
  const offer = model.offers.get(id);
  if (!offer) return;
  model.offers.delete(id);
  model.pastOffers.set(id, { from: offer.from, to: offer.to, code });
}

/** Of a whole event's claim when its first date begins. */
const beginsAt = (model: Model, claim: Held): number =>
  beginOf(datesOf(model, claim)[0] ?? '', Math.min(...claim.parts.map(({ start }) => start)));

function isOnWaitlist(
  model: Model,
  claim: Held,
  { spot, date, start, end: until }: InLine,
): boolean {
  const isThere = claim.parts.some(
    (part) => part.spot === spot && part.start < until && start < part.end,
  );
  return isThere && datesOf(model, claim).includes(date);
}

/** What keeps a claim where it is, regardless of its recipient. */
function mayGo(model: Model, claim: Held, { ms }: Moment): Set<string> {
  const reasons = new Set<string>();
  if (claim.until !== null) reasons.add('transfer.held');
  if (claim.waits) reasons.add('transfer.secondary');
  if (beginsAt(model, claim) <= ms) reasons.add('transfer.begun');
  if ([...model.waits.values()].some((wait) => isOnWaitlist(model, claim, wait)))
    reasons.add('transfer.waitlist');
  return reasons;
}

/** Why a character could not submit the claim now, if it did not exist. */
function refusalsOf(
  model: Model,
  { claim: id, held: claim, given }: { claim: number; held: Held; given: readonly number[] },
  to: string,
  moment: Moment,
): Set<string> {
  const beside = waitingBeside(model, id);
  const claims = new Map(model.claims);
  for (const gone of given)
    for (const one of [gone, ...waitingBeside(model, gone)]) claims.delete(one);
  const events = new Map(
    [...model.events].map(([event, known]) => [
      event,
      claim.event === null ? { ...known, active: false } : known,
    ]),
  );
  const [first, second] = claim.parts;
  const waiting = beside.flatMap((other) => model.claims.get(other)?.parts ?? [])[0];
  if (!first) return new Set();
  const requested: RequestedClaim = {
    spot: first.spot,
    date: claim.date,
    start: first.start,
    hours: first.end - first.start,
    second: second
      ? { spot: second.spot, start: second.start, hours: second.end - second.start }
      : null,
    waiting: waiting ? { spot: waiting.spot, start: waiting.start } : null,
  };
  const submission = {
    do: 'submit',
    who: to,
    asAdmin: false,
    once: null,
    claims: [requested],
  } as const;
  const reasons = new Set(
    judgeSubmission({ ...model, claims, events }, submission, moment).reasons,
  );
  if (reasons.has('request.invalid')) reasons.add('claim.durationOutOfRange');
  if (claim.event !== null && !model.events.get(claim.event)?.active)
    reasons.add('event.notActive');
  return reasons;
}
