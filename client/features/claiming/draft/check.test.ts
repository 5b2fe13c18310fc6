import { describe, expect, test } from 'vitest';
import type { ClaimTime } from '../../../../shared/rules/claim-time.ts';
import type { ClaimOnRespawn, SplitPart } from '../../../../shared/schemas/claim.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import { aClaimOnRespawn } from '../../../test/records.ts';
import { eventOf, respawnOf } from '../../submit/test/records.ts';
import { viewRow } from '../../submit/use-claim-form.ts';
import { mergeClaims, takenByOthers } from './availability.ts';
import {
  boardClaimsIn,
  checkRow,
  type DatedClaim,
  type RowFacts,
  sameChoiceOn,
  takenIn,
} from './check.ts';
import { coveredPeriod, type DraftRow, emptyRow, type Period } from './draft.ts';

const row = (
  hour_start: number | null,
  custom_duration: number | null = null,
  date = '2026-11-21',
) => ({
  ...emptyRow(date),
  hour_start,
  custom_duration,
});
/** As today begins, for a member. */
const TODAY: ClaimTime = {
  today: '2026-11-21',
  hour: 0,
  horizon_days: 60,
  may_enter_past: false,
  clock: { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 },
};
const free: RowFacts = {
  voucher: 4,
  time: TODAY,
  event: null,
  respawn_id: 1,
  takenAt: () => [],
  held: [],
  maySecondary: true,
  respawns: new Map([1, 2, 3].map((id) => [id, respawnOf({ id })])),
};
const from2to6 = { date: '2026-11-21', hour_start: 2, hour_end: 6, character_name: 'Arden Vale' };
const takenOnFirst = {
  ...free,
  takenAt: (respawn_id: number | null) => (respawn_id === 1 ? [from2to6] : []),
};
const wholeEvent = eventOf({
  type: 'single_claim',
  start_time: '2026-11-20',
  end_time: '2026-11-22',
});

describe('a row', () => {
  test('with free hours can be submitted', () => {
    expect(checkRow(row(14), free)).toBeNull();
  });

  test('without a start hour lacks something', () => {
    expect(checkRow(row(null), free)).toEqual({ kind: 'hour-missing' });
  });

  test('that passes SS+24 is refused, one that ends there is not (R2.2)', () => {
    const refusal = { code: 'claim.exceedsDay', params: { hour: 21, duration: 4 } };
    expect(checkRow(row(21), free)).toEqual({ kind: 'refused', refusal });
    expect(checkRow(row(20), free)).toBeNull();
    expect(checkRow(row(21, 3), free)).toBeNull();
  });

  test('that overlaps a claim is refused, one that touches it is not (R2.3)', () => {
    const refusal = { code: 'claim.timeConflict', params: { date: '2026-11-21', hour: 5 } };
    expect(checkRow(row(5), takenOnFirst)).toEqual({ kind: 'conflict', refusal, taken: from2to6 });
    expect(checkRow(row(6), takenOnFirst)).toBeNull();
    expect(checkRow(row(0, 2), takenOnFirst)).toBeNull();
  });

  test('for a whole event is refused in the words for one', () => {
    expect(checkRow(row(5), { ...takenOnFirst, event: wholeEvent })).toMatchObject({
      refusal: { code: 'claim.timeConflictInEvent' },
    });
  });

  test('of a character who has a claim on the date is refused, regardless of its hours (R4.6)', () => {
    const held = [
      {
        first_date: '2026-11-21',
        last_date: '2026-11-21',
        respawn_name: 'Fire Library',
        hour_start: 1,
        hour_end: 3,
      },
    ];
    expect(checkRow(row(null), { ...free, held })).toEqual({ kind: 'character-has-claim', held });
  });

  test('outside the event is refused, its first and last date are not (R3.1)', () => {
    const event = eventOf({ start_time: '2026-11-21', end_time: '2026-11-22' });
    expect(checkRow(row(3), { ...free, event })).toBeNull();
    expect(checkRow(row(3, null, '2026-11-22'), { ...free, event })).toBeNull();
    const params = { date: '2026-11-23', start: '2026-11-21', end: '2026-11-22' };
    expect(checkRow(row(3, null, '2026-11-23'), { ...free, event })).toEqual({
      kind: 'refused',
      refusal: { code: 'claim.dateOutsideEvent', params },
    });
  });
});

describe('a past row', () => {
  const at9 = { ...free, time: { ...TODAY, hour: 9 } };
  const refused = (code: string) => ({ kind: 'refused', refusal: { code } });

  test('by its hours is refused, unless the running one is among them (R4.14)', () => {
    expect(checkRow(row(5), at9)).toEqual({
      kind: 'refused',
      refusal: { code: 'claim.hoursOver', params: { date: '2026-11-21', hour: 5, end: 9 } },
    });
    expect(checkRow(row(6), at9)).toBeNull();
    expect(checkRow(row(9, 1), at9)).toBeNull();
    expect(checkRow(row(5, null, '2026-11-22'), at9)).toBeNull();
    expect(checkRow(row(5), { ...at9, time: { ...at9.time, may_enter_past: true } })).toBeNull();
  });

  test('by its date is refused, with an event or without (R3.9)', () => {
    const yesterday = row(14, null, '2026-11-20');
    for (const event of [null, eventOf({})])
      expect(checkRow(yesterday, { ...at9, event })).toMatchObject(refused('claim.dateOver'));
    expect(checkRow(yesterday, { ...at9, time: { ...at9.time, may_enter_past: true } })).toBeNull();
  });

  test('or lies beyond the horizon is refused where no event bounds it (R3.10)', () => {
    const far = row(14, null, '2026-11-23');
    const time = { ...TODAY, horizon_days: 1 };
    expect(checkRow(far, { ...free, time })).toMatchObject(refused('claim.beyondHorizon'));
    expect(checkRow(far, { ...free, time, event: eventOf({}) })).toBeNull();
  });

  test('in a single_claim event is judged by the last date of it (R3.9, R4.14)', () => {
    const on = (today: string) => ({ ...at9, event: wholeEvent, time: { ...at9.time, today } });
    expect(checkRow(row(5), on('2026-11-21'))).toBeNull();
    expect(checkRow(row(5), on('2026-11-22'))).toMatchObject({
      refusal: { code: 'claim.hoursOver', params: { date: '2026-11-22' } },
    });
    expect(checkRow(row(14), on('2026-11-23'))).toMatchObject(refused('claim.eventOver'));
  });

  test('is past if a part or the secondary claim is (R4.14)', () => {
    const split: DraftRow['split'] = [
      { part_number: 1, respawn_id: 1, hour_start: 10, duration: 2 },
      { part_number: 2, respawn_id: 2, hour_start: 7, duration: 2 },
    ];
    expect(checkRow({ ...row(null), split }, at9)).toMatchObject({
      refusal: { code: 'split.hoursOver', params: { part: 2, hour: 7 } },
    });
    const secondary = (hour_start: number): DraftRow => ({
      ...row(14),
      secondary: { respawn_id: 2, hour_start },
    });
    expect(checkRow(secondary(5), at9)).toMatchObject({
      refusal: { code: 'claim.hoursOver', params: { hour: 5, end: 9 } },
    });
    expect(checkRow(secondary(6), at9)).toBeNull();
  });
});

describe('a split row', () => {
  const split = (first: Partial<SplitPart>, second: Partial<SplitPart> = {}): DraftRow => ({
    ...row(null),
    split: [
      { part_number: 1, respawn_id: 1, hour_start: 10, duration: 2, ...first },
      { part_number: 2, respawn_id: 2, hour_start: 14, duration: 2, ...second },
    ],
  });

  test('needs no start hour', () => {
    expect(checkRow(split({}), free)).toBeNull();
  });

  test('is refused by the rules of the server (R5.2 to R5.4)', () => {
    const codeOf = (one: DraftRow, facts = free) => {
      const problem = checkRow(one, facts);
      return problem && 'refusal' in problem ? problem.refusal.code : null;
    };
    expect(codeOf(split({ duration: 3 }))).toBe('split.exceedsVoucher');
    expect(codeOf(split({ hour_start: 23 }))).toBe('split.exceedsDay');
    expect(codeOf(split({ hour_start: 13 }))).toBe('split.overlap');
    expect(codeOf(split({}), { ...free, voucher: 1 })).toBe('split.voucherTooShort');
  });

  test('conflicts on the respawn of each part, not on the other one (R2.3)', () => {
    const refusal = {
      code: 'split.timeConflict',
      params: { part: 2, date: '2026-11-21', hour: 4 },
    };
    expect(
      checkRow(split({ respawn_id: 2 }, { respawn_id: 1, hour_start: 4 }), takenOnFirst),
    ).toEqual({
      kind: 'conflict',
      refusal,
      taken: from2to6,
    });
    expect(checkRow(split({}, { hour_start: 4 }), takenOnFirst)).toBeNull();
    expect(
      checkRow(split({ hour_start: 4 }), { ...takenOnFirst, event: wholeEvent }),
    ).toMatchObject({
      refusal: { code: 'split.timeConflictInEvent' },
    });
  });

  test('on a deleted or disabled spot is refused (R4.10)', () => {
    expect(checkRow(split({ respawn_id: 9 }), free)).toMatchObject({
      refusal: { code: 'respawn.notFound' },
    });
    const respawns = new Map([
      ...[1, 3].map((id) => [id, respawnOf({ id })] as const),
      [2, respawnOf({ id: 2, is_enabled: 0 })] as const,
    ]);
    expect(checkRow(split({}), { ...free, respawns })).toMatchObject({
      refusal: { code: 'respawn.disabled' },
    });
  });
});

describe('a secondary claim', () => {
  const waiting = (respawn_id: number): DraftRow => ({
    ...row(14),
    secondary: { respawn_id, hour_start: 3 },
  });

  test('waits on any other spot, also on a taken hour (R5.6)', () => {
    expect(checkRow({ ...waiting(1) }, { ...takenOnFirst, respawn_id: 2 })).toBeNull();
  });

  test('cannot be on the spot of the primary one, chosen before or after (R5.6)', () => {
    expect(checkRow(waiting(1), free)).toEqual({
      kind: 'refused',
      refusal: { code: 'secondary.samePrimary', params: {} },
    });
  });

  test('is refused once the type does not allow it any more (R5.5)', () => {
    expect(checkRow(waiting(2), { ...free, maySecondary: false })).toMatchObject({
      refusal: { code: 'secondary.typeNotAllowed' },
    });
  });
});

describe('the same choice on another date', () => {
  const onNext = { ...free, takenAt: () => [{ ...from2to6, date: '2026-11-22' }] };

  test('is taken over where it is free', () => {
    expect(sameChoiceOn('2026-11-22', row(14, 2), free)).toEqual(row(14, 2, '2026-11-22'));
  });

  test('leaves the start hour open where it is not; the duration stays', () => {
    expect(sameChoiceOn('2026-11-22', row(5, 2), onNext)).toEqual(row(null, 2, '2026-11-22'));
  });

  test('takes split parts and a secondary claim along', () => {
    const part = { respawn_id: 2, hour_start: 10, duration: 2 };
    const split = [
      { ...part, part_number: 1 },
      { ...part, part_number: 2, hour_start: 14 },
    ] as const;
    const whole = { ...row(null), split, secondary: { respawn_id: 3, hour_start: 1 } };
    expect(sameChoiceOn('2026-11-22', whole, onNext)).toEqual({ ...whole, date: '2026-11-22' });
  });
});

const oneDay = (date: string): Period => ({ first: date, last: date, event_id: null });
const dated = (claim: Partial<ClaimOnRespawn>): DatedClaim => ({
  ...aClaimOnRespawn(claim),
  first_date: '2026-11-21',
  last_date: '2026-11-21',
});

describe('taken hours', () => {
  test('come from the server and from the live board, each claim once, the board being newer', () => {
    const old = dated({ id: 1, hour_start: 2, hour_end: 6 });
    const moved = dated({ id: 1, hour_start: 3, hour_end: 7 });
    const other = dated({ id: 2, hour_start: 0, hour_end: 2, event_id: 9 });
    expect(mergeClaims([old, other], [moved]).map(({ hour_start }) => hour_start)).toEqual([0, 3]);
  });

  test('a secondary claim occupies nothing (R2.3)', () => {
    expect(takenIn(oneDay('2026-11-21'), [dated({ is_secondary_claim: 1 })])).toEqual([]);
  });

  test('a claim without a date covers every date of its event', () => {
    const event: Event = eventOf({
      id: 5,
      type: 'single_claim',
      start_time: '2026-11-20',
      end_time: '2026-11-22',
    });
    const whole: ClaimOnRespawn = aClaimOnRespawn({ date: null, event_id: 5 });
    const events = new Map([[5, event]]);
    const [held] = boardClaimsIn(oneDay('2026-11-22'), [whole], events);
    expect(held).toEqual({ ...whole, first_date: '2026-11-20', last_date: '2026-11-22' });
    expect(takenIn(oneDay('2026-11-22'), held ? [held] : [])).toMatchObject([
      { date: '2026-11-22' },
    ]);
    expect(boardClaimsIn(oneDay('2026-11-23'), [whole], events)).toEqual([]);
  });

  test('while an offer is open, the submitter’s own hold does not conflict', () => {
    expect(
      takenByOthers([from2to6, { ...from2to6, character_name: 'riley  ashdown' }], 'Riley Ashdown'),
    ).toEqual([from2to6]);
  });
});

test('the grid disables a one-hour start in the hour that the clocks skip, as the row is refused', () => {
  const facts = { ...free, time: { ...TODAY, today: '2026-03-01' } };
  const viewed = (duration: number, event: RowFacts['event'] = null) => {
    const chosen = row(1, duration, '2026-03-08');
    const answers = {
      held: { status: 'ready' as const, value: [] },
      isOpen: false,
      claimsFailed: false,
    };
    return viewRow(chosen, coveredPeriod(chosen.date, event), { ...facts, event }, answers);
  };
  expect(viewed(1).hours[1]).toEqual({ hour: 1, state: 'skipped', max_duration: 4 });
  expect(viewed(1).problem).toMatchObject({ refusal: { code: 'claim.hourSkipped' } });
  expect([viewed(2).hours[1]?.state, viewed(2).problem]).toEqual(['free', null]);
  const marchEvent = { ...wholeEvent, start_time: '2026-03-07', end_time: '2026-03-09' };
  expect(viewed(1, marchEvent).hours[1]?.state).toBe('free');
});
