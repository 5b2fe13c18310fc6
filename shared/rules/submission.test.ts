import { describe, expect, it } from 'vitest';
import type { ClaimInput } from '../schemas/claim.ts';
import { refusalIn } from '../test/refusal-in.ts';
import { DATE, eventOf, factsOf, inputOf, typeOf } from '../test/submission-facts.ts';
import { lastOf, planSubmission, type SubmissionFacts } from './submission.ts';

const plan = (claims: Partial<ClaimInput>[], facts: Partial<SubmissionFacts> = {}) =>
  planSubmission(claims.map(inputOf), factsOf(facts));
const refusal = (claims: Partial<ClaimInput>[], facts: Partial<SubmissionFacts> = {}) =>
  refusalIn(() => plan(claims, facts));
const single = eventOf({
  type: 'single_claim',
  start_time: '2026-11-20T10:00',
  end_time: '2026-11-22T10:00',
});
const admin: Partial<SubmissionFacts> = { submitter: { role: 'admin' } };

describe('permission to submit', () => {
  it('R4.1: a member for the own character, spelled as on the key', () => {
    expect(plan([{ character_name: ' bUBBLE ' }])[0]?.character_name).toBe('Bubble');
    expect(refusal([{}, { character_name: 'Cachero', date: '2026-11-22' }])).toMatchObject({
      code: 'claim.otherCharacter',
      params: {},
    });
  });

  it('R4.1: an admin for any, several in one submission', () => {
    const names = plan([{}, { character_name: 'Cachero' }], admin).map(
      (claim) => claim.character_name,
    );
    expect(names).toEqual(['Bubble', 'Cachero']);
  });

  it('R4.2: while submission is disabled, only admins', () => {
    expect(refusal([{}], { submission_enabled: 0 })).toMatchObject({
      code: 'claim.submissionDisabled',
      params: {},
    });
    expect(refusal([{}], { submission_enabled: 0, ...admin })).toBeNull();
  });

  it('R4.3: not a type that may not, but admins on its behalf', () => {
    const member_type = typeOf({ can_submit: 0 });
    expect(refusal([{}], { member_type })).toMatchObject({
      code: 'claim.typeMayNotSubmit',
      params: {},
    });
    expect(refusal([{}], { member_type, ...admin })).toBeNull();
  });

  it('R4.4: not before the type’s earliest date, but on it', () => {
    const member_type = typeOf({ earliest_submission_date: '2026-11-22' });
    expect(refusal([{}], { member_type })).toMatchObject({
      code: 'claim.beforeEarliestDate',
      params: { date: '2026-11-22' },
    });
    expect(refusal([{ date: '2026-11-22' }], { member_type, today: '2026-11-22' })).toBeNull();
    expect(refusal([{}], { member_type, ...admin })).toBeNull();
  });
});

describe('R4.5: how long a claim lasts', () => {
  it('the whole voucher without an end', () => {
    expect(plan([{}])[0]).toMatchObject({
      parts: [{ hour_start: 10, hour_end: 14 }],
      custom_duration: null,
      voucher_duration: 4,
    });
  });

  it('last as long as requested, from one hour up to the voucher', () => {
    expect(plan([{ hour_end: 11 }])[0]).toMatchObject({
      parts: [{ hour_start: 10, hour_end: 11 }],
      custom_duration: 1,
    });
    expect(plan([{ hour_end: 14 }])[0]?.custom_duration).toBeNull();
    for (const hour_end of [10, 9, 15])
      expect(refusal([{ hour_end }])).toMatchObject({
        code: 'claim.durationOutOfRange',
        params: { max: 4 },
      });
  });

  it('is not the request’s to say: the voucher is the type’s', () => {
    expect(plan([{ voucher_duration: 24 }])[0]?.voucher_duration).toBe(4);
  });

  it('R2.2: never past SS+24, also not when it is given without an end', () => {
    expect(plan([{ hour_start: 20 }])[0]?.parts[0]?.hour_end).toBe(24);
    const refused = { code: 'claim.exceedsDay', params: { hour: 21, duration: 4 } };
    expect(refusal([{ hour_start: 21 }])).toMatchObject(refused);
    expect(refusal([{ hour_start: 21, hour_end: 25 }])).toMatchObject(refused);
    expect(refusal([{ hour_start: 21, hour_end: 24 }])).toBeNull();
  });

  it('R2.1: needs a start', () => {
    expect(refusal([{ hour_start: undefined }])).toMatchObject({
      code: 'claim.fieldsRequired',
      params: {},
    });
  });
});

describe('R3.4: dates', () => {
  it('without an event are any up to the horizon, but must be given', () => {
    expect(plan([{ date: '2027-01-20' }])[0]).toMatchObject({
      event_id: null,
      date: '2027-01-20',
      dates: ['2027-01-20'],
    });
    expect(refusal([{ date: '2027-01-21' }])).toMatchObject({
      code: 'claim.beyondHorizon',
      params: { date: '2027-01-21', last: '2027-01-20' },
    });
    expect(refusal([{ date: null }])).toMatchObject({ code: 'claim.datesRequired', params: {} });
  });

  it('are within an active event, its first and last date included', () => {
    const active_event = eventOf();
    for (const date of ['2026-11-15', '2026-11-28'])
      expect(plan([{ date }], { active_event, today: '2026-11-15' })[0]).toMatchObject({
        event_id: 7,
        date,
      });
    for (const date of ['2026-11-14', '2026-11-29']) {
      const params = { date, start: '2026-11-15', end: '2026-11-28' };
      expect(refusal([{ date }], { active_event })).toMatchObject({
        code: 'claim.dateOutsideEvent',
        params,
      });
      expect(refusal([{ date }], { active_event, ...admin })).toMatchObject({
        code: 'claim.dateOutsideEvent',
        params,
      });
    }
  });

  it('R3.10: of an event are beyond the horizon, too', () => {
    const active_event = eventOf({ start_time: '2027-06-01', end_time: '2027-06-30' });
    expect(plan([{ date: '2027-06-01' }], { active_event })[0]).toMatchObject({
      event_id: 7,
      date: '2027-06-01',
    });
  });

  it("are all of a single_claim event's, regardless of the given date", () => {
    const dates = ['2026-11-20', '2026-11-21', '2026-11-22'];
    for (const date of [null, DATE])
      expect(plan([{ date }], { active_event: single })[0]).toMatchObject({
        date: null,
        dates,
        event_id: 7,
      });
    expect(refusal([{ date: '2026-11-23' }], { active_event: single })?.code).toBe(
      'claim.dateOutsideEvent',
    );
  });

  it('belong to the event that is active, not to another one', () => {
    expect(refusal([{ event_id: 8 }], { active_event: eventOf() })).toMatchObject({
      code: 'event.notActive',
      params: {},
    });
    expect(refusal([{ event_id: 7 }])).toMatchObject({ code: 'event.notActive', params: {} });
    expect(refusal([{ event_id: 7 }], { active_event: eventOf() })).toBeNull();
  });
});

describe('R3.5: the dates of one submission', () => {
  it('differ for a character', () => {
    expect(refusal([{}, { respawn_id: 2 }])).toMatchObject({
      code: 'claim.sameDateTwice',
      params: { date: DATE },
    });
    expect(refusal([{}, { respawn_id: 2, character_name: 'BUBBLE' }], admin)?.code).toBe(
      'claim.sameDateTwice',
    );
    expect(plan([{}, { date: '2026-11-22' }])).toHaveLength(2);
  });

  it('may be the same for two characters', () => {
    expect(plan([{}, { character_name: 'Cachero' }], admin)).toHaveLength(2);
  });

  it('are one in a single_claim event', () => {
    expect(refusal([{}, { date: '2026-11-22' }], { active_event: single })).toEqual({
      code: 'claim.sameDateTwice',
      params: {},
    });
  });
});

describe('past hours', () => {
  const at9 = { hour: 9 };
  const yesterday = '2026-11-20';

  it('R3.9: a date, with an event or without, is not a member’s to claim', () => {
    for (const active_event of [null, eventOf()]) {
      expect(refusal([{ date: yesterday }], { active_event })).toEqual({
        code: 'claim.dateOver',
        params: { date: yesterday, hour: 10 },
      });
      expect(refusal([{ date: yesterday }], { active_event, ...admin })).toBeNull();
    }
    expect(refusal([{}, { date: yesterday }])?.params).toMatchObject({ date: yesterday });
  });

  it('R3.9: no date of an event that is over', () => {
    const active_event = eventOf({ end_time: '2026-11-20T10:00' });
    const late = { code: 'claim.eventOver', params: { end: '2026-11-20' } };
    expect(refusal([{ date: yesterday }], { active_event })).toMatchObject(late);
    expect(refusal([{ date: yesterday }], { active_event, ...admin })).toBeNull();
    expect(refusal([{}], { active_event })?.code).toBe('claim.dateOutsideEvent');
  });

  it('R4.14: hours of today, unless the running one is among them', () => {
    const refused = { code: 'claim.hoursOver', params: { date: DATE, hour: 5, end: 9 } };
    expect(refusal([{ hour_start: 5 }], at9)).toEqual(refused);
    expect(refusal([{ hour_start: 5 }], { ...at9, ...admin })).toBeNull();
    expect(refusal([{ hour_start: 6 }], at9)).toBeNull();
    expect(refusal([{ hour_start: 9, hour_end: 10 }], at9)).toBeNull();
    expect(refusal([{ hour_start: 5, date: '2026-11-22' }], at9)).toBeNull();
  });

  it('R3.9, R4.14: in a single_claim event only when its last date is', () => {
    const facts = (today: string, hour = 9) => ({ active_event: single, today, hour });
    expect(refusal([{ date: null, hour_start: 5 }], facts('2026-11-21', 23))).toBeNull();
    expect(refusal([{ date: null, hour_start: 5 }], facts('2026-11-22'))).toMatchObject({
      code: 'claim.hoursOver',
      params: { date: '2026-11-22', hour: 5, end: 9 },
    });
    expect(refusal([{ date: null, hour_start: 6 }], facts('2026-11-22'))).toBeNull();
    expect(refusal([{ date: null, hour_start: 20 }], facts('2026-11-23'))).toMatchObject({
      code: 'claim.eventOver',
      params: { end: '2026-11-22' },
    });
    expect(refusal([{ date: null }], { ...facts('2026-11-23'), ...admin })).toBeNull();
  });

  it('R4.14: each part of a split claim is judged alone', () => {
    const split = (start: number): Partial<ClaimInput> => ({
      is_split_claim: 1,
      split_parts: [
        { part_number: 1, respawn_id: 3, hour_start: 12, duration: 2 },
        { part_number: 2, respawn_id: 4, hour_start: start, duration: 2 },
      ],
    });
    expect(refusal([split(7)], at9)).toMatchObject({
      code: 'split.hoursOver',
      params: { part: 2, hour: 7, end: 9, date: DATE },
    });
    expect(refusal([split(8)], at9)).toBeNull();
  });

  it('R4.14: a secondary claim’s past hours are refused, though it occupies none', () => {
    const elite = { member_type: typeOf({ member_type: 'elite' }), ...at9 };
    const waiting = (hour_start: number) => ({
      respawn_id: 2,
      hour_start,
      is_secondary_claim: 1 as const,
    });
    expect(refusal([{}, waiting(5)], elite)).toMatchObject({
      code: 'claim.hoursOver',
      params: { hour: 5, end: 9 },
    });
    expect(refusal([{}, waiting(6)], elite)).toBeNull();
    expect(refusal([{}, waiting(5)], { ...elite, ...admin })).toBeNull();
  });
});

describe('secondary claims', () => {
  const elite = { member_type: typeOf({ member_type: 'elite' }) };
  const waiting = { respawn_id: 2, hour_start: 22, is_secondary_claim: 1 as const };

  it('R5.6: last as long as their primary, cut at SS+24, with priority 5', () => {
    const [, secondary] = plan([{ hour_end: 13 }, waiting], elite);
    expect(secondary).toMatchObject({
      parts: [{ respawn_id: 2, hour_start: 22, hour_end: 24 }],
      secondary_priority: 5,
      is_secondary_claim: 1,
    });
    expect(
      plan([{ hour_end: 13 }, { ...waiting, hour_start: 3 }], elite)[1]?.parts[0]?.hour_end,
    ).toBe(6);
  });

  it('R5.6: are stored after the primary ones, in any order sent', () => {
    expect(plan([waiting, {}], elite).map((claim) => claim.is_secondary_claim)).toEqual([0, 1]);
  });

  it('R5.6: need a primary claim of the same date and character', () => {
    for (const other of [{ date: '2026-11-22' }, { character_name: 'Cachero' }]) {
      expect(refusal([{}, { ...waiting, ...other }], { ...elite, ...admin })).toMatchObject({
        code: 'secondary.needsPrimary',
        params: {},
      });
    }
    expect(refusal([waiting], elite)?.code).toBe('secondary.needsPrimary');
  });

  it('R5.6: are on another respawn, also than either part of a split claim', () => {
    expect(refusal([{}, { ...waiting, respawn_id: 1 }], elite)).toMatchObject({
      code: 'secondary.samePrimary',
      params: {},
    });
    const split_parts = [3, 4].map((respawn_id, i) => ({
      part_number: i + 1,
      respawn_id,
      hour_start: 10 + 4 * i,
      duration: 2,
    }));
    expect(
      refusal(
        [
          { is_split_claim: 1, split_parts },
          { ...waiting, respawn_id: 4 },
        ],
        elite,
      )?.code,
    ).toBe('secondary.samePrimary');
    expect(
      plan(
        [
          { is_split_claim: 1, split_parts },
          { ...waiting, hour_start: 0 },
        ],
        elite,
      )[1]?.parts[0]?.hour_end,
    ).toBe(4);
  });

  it('R5.5: are for elite and vice, where the type allows them, also when an admin submits', () => {
    for (const member_type of [
      typeOf(),
      typeOf({ member_type: 'vice', allow_secondary_claims: 0 }),
    ]) {
      expect(refusal([{}, waiting], { member_type })).toMatchObject({
        code: 'secondary.typeNotAllowed',
        params: {},
      });
      expect(refusal([{}, waiting], { member_type, ...admin })?.code).toBe(
        'secondary.typeNotAllowed',
      );
    }
  });

  it('need an hour, and one a date is enough', () => {
    expect(refusal([{}, { ...waiting, hour_start: undefined }], elite)?.code).toBe(
      'secondary.hourOutOfRange',
    );
    expect(refusal([{}, waiting, { ...waiting, respawn_id: 3 }], elite)?.code).toBe(
      'claim.sameDateTwice',
    );
  });
});

describe('split claims', () => {
  it('R5.1: keep the number and respawn of each part; the first part comes first', () => {
    const split_parts = [
      { part_number: 2, respawn_id: 4, hour_start: 2, duration: 1 },
      { part_number: 1, respawn_id: 3, hour_start: 10, duration: 2 },
    ];
    expect(plan([{ is_split_claim: 1, split_parts }])[0]).toMatchObject({
      is_split_claim: 1,
      requested_start: 10,
      custom_duration: 3,
      parts: [
        { part_number: 1, respawn_id: 3, hour_start: 10, hour_end: 12 },
        { part_number: 2, respawn_id: 4, hour_start: 2, hour_end: 3 },
      ],
    });
  });

  it('R5.1: without parts are refused', () => {
    expect(refusal([{ is_split_claim: 1 }])?.code).toBe('split.twoParts');
    expect(refusal([{ is_split_claim: 1, split_parts: null }])?.code).toBe('split.twoParts');
  });
});

describe('a planned claim', () => {
  const shared = {
    event_id: null,
    date: DATE,
    dates: [DATE],
    character_name: 'Bubble',
    member_type: 'elite',
    voucher_duration: 4,
  };
  const elite = { member_type: typeOf({ member_type: 'elite' }) };

  it('has all that is stored of a whole, a split and a secondary claim', () => {
    const split_parts = [3, 4].map((respawn_id, i) => ({
      part_number: i + 1,
      respawn_id,
      hour_start: 10 + 4 * i,
      duration: 2,
    }));
    const primary = {
      ...shared,
      is_secondary_claim: 0,
      secondary_priority: 0,
      requested_start: 10,
      custom_duration: null,
    };
    const [whole, secondary] = plan(
      [{}, { respawn_id: 2, hour_start: 20, is_secondary_claim: 1 }],
      elite,
    );
    expect(whole).toEqual({
      ...primary,
      is_split_claim: 0,
      parts: [{ part_number: 1, respawn_id: 1, hour_start: 10, hour_end: 14 }],
    });
    expect(secondary).toEqual({
      ...shared,
      is_split_claim: 0,
      is_secondary_claim: 1,
      secondary_priority: 5,
      requested_start: 20,
      custom_duration: null,
      parts: [{ part_number: 1, respawn_id: 2, hour_start: 20, hour_end: 24 }],
    });
    expect(plan([{ respawn_id: 0, is_split_claim: 1, split_parts }], elite)).toEqual([
      {
        ...primary,
        is_split_claim: 1,
        parts: [
          { part_number: 1, respawn_id: 3, hour_start: 10, hour_end: 12 },
          { part_number: 2, respawn_id: 4, hour_start: 14, hour_end: 16 },
        ],
      },
    ]);
  });

  it('of a secondary kind belongs to the primary claim of its own character and date', () => {
    const claims = [
      { hour_end: 11 },
      { character_name: 'Cachero', hour_end: 12 },
      { date: '2026-11-22', hour_end: 13 },
      { character_name: 'CACHERO', respawn_id: 2, is_secondary_claim: 1 as const },
      { date: '2026-11-22', respawn_id: 2, is_secondary_claim: 1 as const },
    ];
    expect(plan(claims, { ...elite, ...admin }).map(({ parts }) => parts[0]?.hour_end)).toEqual([
      11, 12, 13, 12, 13,
    ]);
  });

  it('has a last date, in any order of its dates', () => {
    expect(lastOf({ dates: ['2026-11-22', '2026-12-01', '2026-11-30'] })).toBe('2026-12-01');
  });
});

describe('R4.8: the refusal of one of several claims', () => {
  it('names its date and hour, as far as the request has them', () => {
    expect(refusal([{ respawn_id: 0 }])).toEqual({
      code: 'claim.selectRespawn',
      params: { date: DATE, hour: 10 },
    });
    expect(refusal([{ hour_start: 0, hour_end: 0 }])).toEqual({
      code: 'claim.durationOutOfRange',
      params: { date: DATE, hour: 0, max: 4 },
    });
    expect(refusal([{ hour_start: -1 }])).toEqual({
      code: 'claim.hourOutOfRange',
      params: { date: DATE },
    });
    expect(refusal([{ hour_start: undefined }])).toStrictEqual({
      code: 'claim.fieldsRequired',
      params: { date: DATE },
    });
    expect(refusal([{ date: null }])).toEqual({
      code: 'claim.datesRequired',
      params: { hour: 10 },
    });
  });

  it('is the first one’s, and nothing else is hidden by it', () => {
    expect(refusal([{ date: '2026-11-22', hour_end: 9 }, { hour_end: 8 }])?.params.date).toBe(
      '2026-11-22',
    );
    expect(() => plan([{}], { clock: { ss_time_zone: 'Nowhere', ss_hour: 1 } })).toThrow(
      RangeError,
    );
  });
});

describe('R4.14: an admin’s claim of past hours', () => {
  it('can be ruled out, as for a copy of an event', () => {
    const yesterday = { date: '2026-11-20' };
    expect(refusal([yesterday], { submitter: { role: 'admin', may_enter_past: true } })).toBeNull();
    expect(
      refusal([yesterday], { submitter: { role: 'admin', may_enter_past: false } })?.code,
    ).toBe('claim.dateOver');
  });
});

describe('R8.3: a claim, a part or a secondary claim of the skipped hour alone', () => {
  const clocksForward = { today: '2026-03-08', member_type: typeOf({ member_type: 'elite' }) };
  const date = '2026-03-08';
  it('is refused', () => {
    const skipped = { code: 'claim.hourSkipped', params: { date, hour: 1 } };
    expect(refusal([{ date, hour_start: 1, hour_end: 2 }], clocksForward)).toEqual(skipped);
    const split_parts = [0, 1].map((i) => ({
      part_number: i + 1,
      respawn_id: i + 1,
      hour_start: 4 - 3 * i,
      duration: 1,
    }));
    expect(
      refusal([{ date, hour_start: 1, is_split_claim: 1, split_parts }], clocksForward),
    ).toEqual(skipped);
    const secondary = { date, respawn_id: 2, hour_start: 1, is_secondary_claim: 1 as const };
    expect(refusal([{ date, hour_start: 4, hour_end: 5 }, secondary], clocksForward)).toEqual(
      skipped,
    );
    expect(refusal([{ date, hour_start: 4, hour_end: 6 }, secondary], clocksForward)).toBeNull();
  });
});
