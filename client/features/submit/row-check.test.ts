import { describe, expect, test } from 'vitest';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import { boardClaimsOn, claimsOfDay, takenByOthers, takenOn } from './availability.ts';
import { coveredDates, datesOnOffer, nextDay } from './claim-dates.ts';
import { firstChoice } from './first-choice.ts';
import { checkRow, type RowFacts, sameHoursOn } from './row-check.ts';
import { submissionRefusal } from './submission-refusal.ts';
import { claimOf, eventOf, memberTypeOf } from './test/records.ts';

const row = (hour_start: number | null, custom_duration: number | null = null, date = '2026-11-21') => ({
  date,
  hour_start,
  custom_duration,
});
const free: RowFacts = { voucher: 4, event: null, taken: [], held: [] };
const from2to6 = { date: '2026-11-21', hour_start: 2, hour_end: 6, character_name: 'Arden Vale' };

describe('a row', () => {
  test('with free hours can be submitted', () => {
    expect(checkRow(row(14), free)).toBeNull();
  });

  test('without a start hour lacks something', () => {
    expect(checkRow(row(null), free)).toEqual({ of: 'hour-missing' });
  });

  test('that passes SS+24 is refused, one that ends there is not (R2.2)', () => {
    expect(checkRow(row(21), free)).toEqual({ of: 'exceeds-day', hour: 21, duration: 4 });
    expect(checkRow(row(20), free)).toBeNull();
    expect(checkRow(row(21, 3), free)).toBeNull();
  });

  test('that overlaps a claim is refused, one that touches it is not (R2.3)', () => {
    const facts = { ...free, taken: [from2to6] };
    expect(checkRow(row(5), facts)).toEqual({ of: 'conflict', hour: 5, taken: from2to6 });
    expect(checkRow(row(6), facts)).toBeNull();
    expect(checkRow(row(0, 2), facts)).toBeNull();
  });

  test('of a character who holds a claim on the date is refused whatever its hours (R4.6)', () => {
    const held = [{ date: '2026-11-21', respawn_name: 'Fire Library', hour_start: 1, hour_end: 3 }];
    expect(checkRow(row(null), { ...free, held })).toEqual({ of: 'character-has-claim', held });
  });

  test('outside the event is refused, its first and last date are not (R3.1)', () => {
    const event = eventOf({ start_time: '2026-11-21', end_time: '2026-11-22' });
    expect(checkRow(row(3), { ...free, event })).toBeNull();
    expect(checkRow(row(3, null, '2026-11-22'), { ...free, event })).toBeNull();
    expect(checkRow(row(3, null, '2026-11-23'), { ...free, event })).toEqual({ of: 'outside-event', event });
  });
});

describe('the same hours on another date', () => {
  test('are taken over where they are free', () => {
    expect(sameHoursOn('2026-11-22', row(14, 2), 4, [])).toEqual(row(14, 2, '2026-11-22'));
  });

  test('are left open where they are not; the duration stays', () => {
    expect(sameHoursOn('2026-11-22', row(5, 2), 4, [{ ...from2to6, date: '2026-11-22' }])).toEqual(row(null, 2, '2026-11-22'));
  });
});

describe('what is taken', () => {
  test('comes from the server and from the live board, each claim once, the board being newer', () => {
    const old = claimOf({ id: 1, hour_start: 2, hour_end: 6 });
    const moved = claimOf({ id: 1, hour_start: 3, hour_end: 7 });
    const other = claimOf({ id: 2, hour_start: 0, hour_end: 2, event_id: 9 });
    expect(claimsOfDay([old, other], [moved]).map(({ hour_start }) => hour_start)).toEqual([0, 3]);
  });

  test('a secondary claim occupies nothing (R2.3)', () => {
    expect(takenOn('2026-11-21', [claimOf({ is_secondary_claim: 1 })])).toEqual([]);
  });

  test('a claim without a date covers every date of its event', () => {
    const event: Event = eventOf({ id: 5, type: 'single_claim', start_time: '2026-11-20', end_time: '2026-11-22' });
    const whole: ClaimOnRespawn = claimOf({ date: null, event_id: 5 });
    const events = new Map([[5, event]]);
    expect(boardClaimsOn('2026-11-22', [whole], events)).toEqual([whole]);
    expect(boardClaimsOn('2026-11-23', [whole], events)).toEqual([]);
  });

  test('while an answer is open, what the submitter holds does not stand in the way', () => {
    expect(takenByOthers([from2to6, { ...from2to6, character_name: 'riley  ashdown' }], 'Riley Ashdown')).toEqual([from2to6]);
  });
});

describe('dates on offer', () => {
  const event = eventOf({ start_time: '2026-11-15 10:00', end_time: '2026-11-23 10:00' });

  test("are the event's from today on", () => {
    expect(datesOnOffer(event, '2026-11-21')).toEqual(['2026-11-21', '2026-11-22', '2026-11-23']);
    expect(datesOnOffer(event, '2026-11-01')).toHaveLength(9);
    expect(datesOnOffer(event, '2026-11-24')).toEqual([]);
  });

  test('are the next 14 days without an event', () => {
    const dates = datesOnOffer(null, '2026-11-21');
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([14, '2026-11-21', '2026-12-04']);
  });

  test('a claim of a single_claim event covers them all', () => {
    expect(coveredDates('2026-11-15', { ...event, type: 'single_claim' })).toHaveLength(9);
    expect(coveredDates('2026-11-16', event)).toEqual(['2026-11-16']);
  });

  test('the next day stays within the event and is added once', () => {
    expect(nextDay('2026-11-22', [], event)).toEqual({ date: '2026-11-23' });
    expect(nextDay('2026-11-23', [], event)).toEqual({ refused: 'beyondEvent' });
    expect(nextDay('2026-11-21', ['2026-11-22'], event)).toEqual({ refused: 'alreadyAdded' });
  });
});

describe('what the address asks for', () => {
  const choice = (query: string) => firstChoice(new URLSearchParams(query), null, '2026-11-21');

  test('is chosen when it can be', () => {
    expect(choice('respawn=12&date=2026-11-23&hour=14')).toEqual({
      respawn_id: 12,
      date: '2026-11-23',
      hour_start: 14,
      is_suggestion: false,
    });
  });

  test('is left out when it cannot', () => {
    expect(choice('respawn=x&date=2025-01-01&hour=24')).toEqual({
      respawn_id: null,
      date: '2026-11-21',
      hour_start: null,
      is_suggestion: true,
    });
  });
});

describe('who may submit', () => {
  const config = {
    submission_enabled: 1,
    board_visibility: 'members',
    ss_time_zone: 'UTC',
    ss_hour: 0,
    voucher_duration_hours: 4,
  } as const;

  test('anybody while submission is on and nothing is said against the type', () => {
    expect(submissionRefusal(config, memberTypeOf({}), '2026-11-21')).toBeNull();
    expect(submissionRefusal(config, undefined, '2026-11-21')).toBeNull();
  });

  test('nobody while it is off, no type that may not, and none before its earliest date (R4.2 to R4.4)', () => {
    expect(submissionRefusal({ ...config, submission_enabled: 0 }, memberTypeOf({}), '2026-11-21')).toEqual({ because: 'switched-off' });
    expect(submissionRefusal(config, memberTypeOf({ can_submit: 0 }), '2026-11-21')).toEqual({ because: 'type' });
    const later = memberTypeOf({ earliest_submission_date: '2026-11-22' });
    expect(submissionRefusal(config, later, '2026-11-21')).toEqual({ because: 'too-early', from: '2026-11-22' });
    expect(submissionRefusal(config, later, '2026-11-22')).toBeNull();
  });
});
