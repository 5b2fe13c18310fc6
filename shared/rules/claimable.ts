import type { EventFacts } from '../schemas/event.ts';
import { assertWithinBudget, type Budget } from './budget.ts';
import { assertDateInTime, assertEventNotOver, type ClaimTime } from './claim-time.ts';
import { eventDate } from './event-period.ts';
import { assertMaySubmit, type MaySubmitFacts } from './may-submit.ts';
import { datesBetween } from './server-save.ts';

export interface ClaimableFacts extends Omit<MaySubmitFacts, 'today'> {
  budget: Budget;
  /** The active event, and the hours that the character has in it. */
  event: EventFacts | null;
  used: number;
  date: string | null;
  time: ClaimTime;
}

/**
 * R4.15: whether some hour can be claimed, whatever the spot: the rules that need neither its hours nor others' claims.
 * @throws DomainError claim.submissionDisabled, claim.typeMayNotSubmit, claim.beforeEarliestDate, claim.eventOver, claim.dateOver,
 * claim.beyondHorizon, claim.missedTooMany, budget.event
 */
export function assertClaimable(facts: ClaimableFacts): void {
  const { submitter, budget, event, used, date, time } = facts;
  assertMaySubmit([], { ...facts, today: time.today });
  if (event) assertEventNotOver(event, time);
  const isWholeEvent = event?.type === 'single_claim';
  if (date !== null && !isWholeEvent) assertDateInTime(date, event !== null, time);
  if (!event || submitter.role === 'admin') return;
  const dates = isWholeEvent
    ? datesBetween(eventDate(event.start_time), eventDate(event.end_time))
    : [date ?? eventDate(event.end_time)];
  assertWithinBudget([{ dates, hours: 1 }], budget, { used });
}
