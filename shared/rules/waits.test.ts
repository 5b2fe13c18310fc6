import { describe, expect, it } from 'vitest';
import { refusalIn } from '../test/refusal-in.ts';
import { holdLasts, isHoldOver } from './holds.ts';
import {
  ALL_HOURS,
  assertMayWait,
  claimableHours,
  entryFitsEvent,
  hoursToOffer,
  longestFreeRun,
  positionsOf,
  type RequestedWait,
  WAITS_A_DAY,
  WAITS_IN_ALL,
  WAITS_ON_WAITLIST,
  type WaitFacts,
  wantedHours,
} from './waits.ts';

const TODAY = '2026-11-21';
const range = (hour_start: number, hour_end: number) => ({ hour_start, hour_end });
const wanted: RequestedWait = { respawn_id: 1, date: TODAY, ...range(10, 14), min_hours: 1 };
const facts: WaitFacts = {
  waits_enabled: 1,
  submission_enabled: 1,
  active_event: null,
  voucher: 4,
  character_name: 'Arden Vale',
  taken: [range(12, 16)],
  own: [],
  has_claim: false,
  on_waitlist: 0,
  ended: 0,
  in_all: 0,
  today: TODAY,
  hour: 9,
  horizon_days: 60,
};
const refusal = (change: Partial<RequestedWait> = {}, others: Partial<WaitFacts> = {}) =>
  refusalIn(() => assertMayWait({ ...wanted, ...change }, { ...facts, ...others }));
const code = (...args: Parameters<typeof refusal>) => refusal(...args)?.code ?? null;

describe('permission to join', () => {
  it('R9.1: not while waitlists or submission are off', () => {
    expect(code()).toBeNull();
    expect(code({}, { waits_enabled: 0 })).toBe('wait.disabled');
    expect(code({}, { submission_enabled: 0 })).toBe('wait.disabled');
  });

  it('R9.2: for one hour up to the voucher, with a minimum of at most as many', () => {
    expect(code({ hour_start: 13, hour_end: 14 })).toBeNull();
    expect(code({ hour_end: 10 })).toBe('times.endBeforeStart');
    expect(refusal({ hour_end: 15 })).toMatchObject({ code: 'wait.tooLong', params: { max: 4 } });
    expect(code({ min_hours: 4 })).toBeNull();
    expect(code({ min_hours: 5 })).toBe('wait.tooShort');
  });

  it('R9.2: on a date that can be claimed, for hours that are not all over', () => {
    const event = {
      id: 1,
      type: 'multiple_claims',
      start_time: '2026-11-22',
      end_time: '2026-11-28',
    } as const;
    expect(refusal({ date: '2026-11-20' })).toEqual({
      code: 'wait.dateOver',
      params: { date: '2026-11-20' },
    });
    expect(code({}, { hour: 13 })).toBeNull();
    expect(refusal({}, { hour: 14 })).toEqual({ code: 'wait.hoursOver', params: { date: TODAY } });
    expect(code({ date: '2027-02-01' })).toBe('claim.beyondHorizon');
    expect(refusal({}, { active_event: event })).toEqual({
      code: 'claim.dateOutsideEvent',
      params: { date: TODAY, start: '2026-11-22', end: '2026-11-28' },
    });
    expect(
      code({ date: '2027-02-01' }, { active_event: { ...event, end_time: '2027-02-01' } }),
    ).toBeNull();
    expect(code({ date: '2026-11-22' }, { active_event: event })).toBeNull();
    expect(code({ date: '2026-11-22' }, { active_event: { ...event, type: 'single_claim' } })).toBe(
      'wait.singleClaim',
    );
  });

  it("R9.3: for hours that another member has and that are not past, without a claim of one's own on that date", () => {
    expect(code({}, { taken: [] })).toBe('wait.nothingTaken');
    expect(code({}, { taken: [range(9, 10), range(14, 18)] })).toBe('wait.nothingTaken');
    expect(code({}, { taken: [range(8, 12)], hour: 11 })).toBeNull();
    expect(code({}, { taken: [range(8, 12)], hour: 12 })).toBe('wait.nothingTaken');
    expect(refusal({}, { has_claim: true })).toMatchObject({
      code: 'wait.hasClaim',
      params: { date: TODAY, character_name: 'Arden Vale' },
    });
  });

  it('R9.4: on three waitlists at most, once for a spot and date, and not on a full one', () => {
    const own = [2, 3].map((respawn_id) => ({ respawn_id, date: TODAY, ...range(10, 13) }));
    expect(code({}, { own })).toBeNull();
    expect(refusal({ respawn_id: 2, hour_start: 13 }, { own })).toMatchObject({
      code: 'wait.exists',
      params: { character_name: 'Arden Vale', date: TODAY, hour_start: 10, hour_end: 13 },
    });
    expect(code({ respawn_id: 2, date: '2026-11-22' }, { own })).toBeNull();
    expect(refusal({}, { own: [...own, { ...wanted, date: '2026-11-22' }] })).toMatchObject({
      code: 'wait.tooMany',
      params: { max: 3 },
    });
    expect(code({}, { on_waitlist: WAITS_ON_WAITLIST - 1, in_all: WAITS_IN_ALL - 1 })).toBeNull();
    expect(code({}, { on_waitlist: WAITS_ON_WAITLIST })).toBe('wait.lineFull');
    expect(code({}, { in_all: WAITS_IN_ALL })).toBe('wait.lineFull');
    expect(code({}, { ended: WAITS_A_DAY - 1 })).toBeNull();
    expect(refusal({}, { ended: WAITS_A_DAY })).toEqual({
      code: 'wait.tooOften',
      params: { character_name: 'Arden Vale', max: WAITS_A_DAY },
    });
  });
});

describe('the hours of a range when a member joins', () => {
  const hours = (bits: number) =>
    Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => bits & (1 << hour));

  it('R9.3: are wanted where they are occupied and not over', () => {
    expect(hours(wantedHours(wanted, facts))).toEqual([12, 13]);
    expect(hours(wantedHours(wanted, { ...facts, hour: 13 }))).toEqual([13]);
    expect(
      hours(
        wantedHours({ ...wanted, ...range(0, 24) }, { ...facts, taken: [range(0, 24)], hour: 0 }),
      ),
    ).toHaveLength(24);
  });

  it('R9.3: free hours can be claimed at once, as far as the voucher allows', () => {
    expect(claimableHours(wanted, facts)).toEqual(range(10, 12));
    expect(claimableHours(wanted, { ...facts, hour: 11 })).toEqual(range(11, 12));
    expect(claimableHours(wanted, { ...facts, voucher: 1 })).toEqual(range(10, 11));
    expect(claimableHours(wanted, { ...facts, taken: [range(10, 14)] })).toBeNull();
  });
});

describe('a waitlist', () => {
  it('R9.5: has positions from 1 on, in the order of joining', () => {
    expect([...positionsOf([{ id: 9 }, { id: 4 }, { id: 12 }])]).toEqual([
      [4, 1],
      [9, 2],
      [12, 3],
    ]);
  });
});

describe('the offered hours', () => {
  it('R9.6: is the longest run of hours that are free and not over, the earlier one of two', () => {
    expect(longestFreeRun(range(10, 16), { taken: [], over: 0 })).toEqual(range(10, 16));
    expect(longestFreeRun(range(10, 16), { taken: [range(12, 13)], over: 0 })).toEqual(
      range(13, 16),
    );
    expect(longestFreeRun(range(10, 16), { taken: [range(12, 13)], over: 15 })).toEqual(
      range(15, 16),
    );
    expect(longestFreeRun(range(10, 15), { taken: [range(12, 13)], over: 0 })).toEqual(
      range(10, 12),
    );
    expect(longestFreeRun(range(10, 16), { taken: [], over: 0 }, { most: 4 })).toEqual(
      range(10, 14),
    );
    expect(longestFreeRun(range(10, 12), { taken: [range(9, 12)], over: 0 })).toBeNull();
    expect(longestFreeRun(range(10, 12), { taken: [], over: 12 })).toBeNull();
  });

  it('R9.6: includes an hour that was occupied when the member joined', () => {
    const wait = { ...range(20, 24), min_hours: 1, wanted_hours: 1 << 20 };
    expect(hoursToOffer(wait, { taken: [range(20, 21)], over: 0 })).toBeNull();
    expect(hoursToOffer(wait, { taken: [], over: 0 })).toEqual(range(20, 24));
    expect(hoursToOffer(wait, { taken: [range(21, 22)], over: 0 })).toEqual(range(20, 21));
    expect(hoursToOffer({ ...wait, min_hours: 2 }, { taken: [range(21, 22)], over: 0 })).toBeNull();
    expect(hoursToOffer({ ...wait, wanted_hours: 1 << 23 }, { taken: [], over: 0 }, 2)).toEqual(
      range(22, 24),
    );
    expect(
      hoursToOffer({ ...wait, wanted_hours: 1 << 23 }, { taken: [range(22, 23)], over: 0 }, 2),
    ).toEqual(range(23, 24));
  });

  it('R9.6: is nothing if shorter than the entry’s minimum', () => {
    const wait = { ...range(10, 14), min_hours: 2, wanted_hours: ALL_HOURS };
    expect(hoursToOffer(wait, { taken: [range(11, 13)], over: 0 })).toBeNull();
    expect(hoursToOffer(wait, { taken: [range(12, 13)], over: 0 })).toEqual(range(10, 12));
    expect(hoursToOffer(wait, { taken: [range(12, 14)], over: 11 })).toBeNull();
    expect(hoursToOffer(wait, { taken: [], over: 0 }, 1)).toBeNull();
  });

  it.each([
    ['the guild’s minutes', 10, '2026-11-21T12:00:00Z', 10],
    ['the guild’s one minute', 1, '2026-11-21T12:00:00Z', 1],
    ['a quarter of all the hours before they begin', 60, '2026-11-21T12:00:00Z', 30],
    ['a quarter of what is left while they run', 60, '2026-11-21T15:00:00Z', 15],
    ['no quarter shorter than two minutes', 10, '2026-11-21T15:56:00Z', 2],
    ['a minute also then', 1, '2026-11-21T15:59:30Z', 1],
  ])('R9.7: is held for %s', (_, hold_minutes, now, minutes) => {
    const lasts = holdLasts(hold_minutes, new Date(now), {
      start: new Date('2026-11-21T14:00:00Z'),
      end: new Date('2026-11-21T16:00:00Z'),
    });
    expect(lasts).toBe(minutes * 60_000);
  });

  it('R9.8: is free again from the moment on until which it was held', () => {
    const held_until = '2026-11-21T14:00:00.000Z';
    expect(isHoldOver({ held_until }, new Date('2026-11-21T13:59:59.999Z'))).toBe(false);
    expect(isHoldOver({ held_until }, new Date(held_until))).toBe(true);
    expect(isHoldOver({ held_until: null }, new Date(held_until))).toBe(false);
  });
});

describe('R9.9, R9.12: an entry and the active event', () => {
  const event = {
    id: 7,
    type: 'multiple_claims',
    start_time: '2026-11-20T10:00',
    end_time: '2026-11-28T10:00',
  } as const;
  const entry = { event_id: 7, status: 'waiting', date: TODAY } as const;
  const ofNone = { ...entry, event_id: null };
  it.each([
    ['of its own event', entry, event, true],
    ['of an event that is not active any more', entry, null, false],
    ['of another event', entry, { ...event, id: 8 }, false],
    ['of an event without its date', { ...entry, date: '2026-11-29' }, event, false],
    ['of a single_claim event', entry, { ...event, type: 'single_claim' as const }, false],
    ['made without an event, while none is active', ofNone, null, true],
    ['made without an event, in which it waits', { ...ofNone, date: '2026-12-24' }, event, true],
    [
      'with a hold, while no event is active',
      { ...ofNone, status: 'offered' as const },
      null,
      true,
    ],
    ['with a hold on a date of the event', { ...ofNone, status: 'offered' as const }, event, true],
    [
      'with a hold on another date',
      { ...ofNone, status: 'offered' as const, date: '2026-11-19' },
      event,
      false,
    ],
    [
      'with a hold in a single_claim event',
      { ...ofNone, status: 'offered' as const },
      { ...event, type: 'single_claim' as const },
      false,
    ],
  ])('%s', (_, one, active, fits) => {
    expect(entryFitsEvent(one, active)).toBe(fits);
  });
});
