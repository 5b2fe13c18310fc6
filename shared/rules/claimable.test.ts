import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import { DATE, eventOf, factsOf, typeOf } from '../test/submission-facts.ts';
import { assertClaimable, type ClaimableFacts } from './claimable.ts';
import type { Submitter } from './may-submit.ts';

const admin: Submitter = { role: 'admin' };
const { submitter, hour, horizon_days, clock } = factsOf();

const refusal = (change: Partial<ClaimableFacts> = {}, type = typeOf()) =>
  refusalIn(() =>
    assertClaimable({
      submitter,
      submission_enabled: 1,
      pause: null,
      member_type: type,
      budget: type,
      event: null,
      used: 0,
      date: null,
      time: {
        today: DATE,
        hour,
        horizon_days,
        clock,
        may_enter_past: change.submitter?.role === 'admin',
      },
      ...change,
    }),
  );

describe('R4.15: something can be claimed', () => {
  const over = eventOf({ end_time: '2026-11-20T10:00' });
  const wholeEvent = eventOf({ type: 'single_claim' });

  it('without an event and in one, also before it begins', () => {
    expect(refusal()).toBeNull();
    expect(refusal({ event: eventOf(), date: DATE })).toBeNull();
    expect(refusal({ event: eventOf({ start_time: '2026-11-25T10:00' }) })).toBeNull();
  });

  it.each<[string, Partial<ClaimableFacts>, ReturnType<typeof typeOf>, string, object]>([
    ['submission is closed', { submission_enabled: 0 }, typeOf(), 'claim.submissionDisabled', {}],
    ['the type may not', {}, typeOf({ can_submit: 0 }), 'claim.typeMayNotSubmit', {}],
    [
      'the earliest date is to come',
      {},
      typeOf({ earliest_submission_date: '2026-11-22' }),
      'claim.beforeEarliestDate',
      { date: '2026-11-22' },
    ],
    ['the event is over', { event: over }, typeOf(), 'claim.eventOver', { end: '2026-11-20' }],
    [
      'its budget is used up',
      { event: eventOf(), used: 8 },
      typeOf({ max_hours_per_event: 8 }),
      'budget.event',
      { limit: 8, left: 0 },
    ],
    [
      'its budget is less than an hour a day of a whole event',
      { event: wholeEvent, used: 0 },
      typeOf({ max_hours_per_event: 13 }),
      'budget.event',
      { limit: 13, left: 13 },
    ],
    [
      'the date is over',
      { event: eventOf(), date: '2026-11-20' },
      typeOf(),
      'claim.dateOver',
      { date: '2026-11-20' },
    ],
    [
      'the date is beyond the horizon',
      { date: '2027-01-21' },
      typeOf(),
      'claim.beyondHorizon',
      { last: '2027-01-20' },
    ],
  ])('not if %s', (_, change, type, code, params) => {
    expect(refusal(change, type)).toMatchObject({ code, params });
    const isForAdmins = code === 'claim.beyondHorizon';
    expect(refusal({ ...change, submitter: admin }, type) !== null).toBe(isForAdmins);
  });

  it('while an hour of the budget is left, and on every date of a whole event', () => {
    const type = typeOf({ max_hours_per_event: 8 });
    expect(refusal({ event: eventOf(), used: 7 }, type)).toBeNull();
    expect(refusal({ event: null, used: 8 }, type)).toBeNull();
    expect(refusal({ event: wholeEvent, date: '2026-11-15' })).toBeNull();
  });
});
