import { describe, expect, test } from 'vitest';
import type { ClaimTime } from '../../../shared/rules/claim-time.ts';
import {
  coveredPeriod,
  datesOnOffer,
  durationOf,
  emptyRow,
  type Period,
} from '../claiming/draft/draft.ts';
import {
  type FirstChoice,
  type FormState,
  firstChoice,
  firstFormState,
  followersOf,
  formReducer,
  nextDay,
  untouchedSuggestion,
} from './form-state.ts';
import { eventOf } from './test/records.ts';

const row = (date: string, hour_start: number | null = null) => ({ ...emptyRow(date), hour_start });
const dates = (state: FormState): string[] => state.rows.map(({ date }) => date);

describe('the form as it opens', () => {
  test('has the one date that is offered first, in view', () => {
    const state = firstFormState({
      respawn_id: 7,
      date: '2026-11-21',
      hour_start: 14,
      is_suggestion: true,
      is_link_over: false,
    });
    expect(state).toEqual({
      respawn_id: 7,
      rows: [row('2026-11-21', 14)],
      open_date: '2026-11-21',
      suggested_date: '2026-11-21',
      is_link_over: false,
      turn: null,
      tried: false,
      own_hours: ['2026-11-21'],
      is_changed: false,
    });
  });

  test('has no date where none is left', () => {
    expect(
      firstFormState({
        respawn_id: null,
        date: null,
        hour_start: null,
        is_suggestion: true,
        is_link_over: false,
      }).rows,
    ).toEqual([]);
  });
});

describe('a suggested date', () => {
  const suggested = {
    respawn_id: 7,
    date: '2026-11-21',
    hour_start: null,
    is_suggestion: true,
    is_link_over: false,
  };

  test('gives way to another one as long as nothing was chosen for it', () => {
    const state = firstFormState(suggested);
    expect(untouchedSuggestion(state)).toBe('2026-11-21');
    expect(
      untouchedSuggestion(
        formReducer(state, { type: 'hours-chosen', date: '2026-11-21', hour_start: 3 }),
      ),
    ).toBeNull();
    expect(
      untouchedSuggestion(formReducer(state, { type: 'date-added', row: row('2026-11-22') })),
    ).toBeNull();
  });

  test('that was requested stays', () => {
    expect(untouchedSuggestion(firstFormState({ ...suggested, is_suggestion: false }))).toBeNull();
  });
});

describe('dates', () => {
  const opened = firstFormState({
    respawn_id: 7,
    date: '2026-11-22',
    hour_start: 14,
    is_suggestion: false,
    is_link_over: false,
  });

  test('are sorted, and the one added last is in view', () => {
    const state = formReducer(opened, { type: 'date-added', row: row('2026-11-21', 3) });
    expect(dates(state)).toEqual(['2026-11-21', '2026-11-22']);
    expect(state.open_date).toBe('2026-11-21');
  });

  test('cannot be added twice (R3.5)', () => {
    const state = formReducer(opened, { type: 'date-added', row: row('2026-11-22', 3) });
    expect(state.rows).toEqual([row('2026-11-22', 14)]);
  });

  test('when the visible one is removed, the next one is shown, else the last', () => {
    const three = ['2026-11-23', '2026-11-24'].reduce(
      (state, date) => formReducer(state, { type: 'date-added', row: row(date) }),
      opened,
    );
    const inMiddle = formReducer(three, { type: 'date-opened', date: '2026-11-23' });
    const without23 = formReducer(inMiddle, { type: 'date-removed', date: '2026-11-23' });
    expect(without23.open_date).toBe('2026-11-24');
    expect(formReducer(without23, { type: 'date-removed', date: '2026-11-24' }).open_date).toBe(
      '2026-11-22',
    );
    expect(formReducer(opened, { type: 'date-removed', date: '2026-11-22' })).toMatchObject({
      rows: [],
      open_date: null,
    });
  });

  test('removing another one leaves the view alone', () => {
    const two = formReducer(opened, { type: 'date-added', row: row('2026-11-23') });
    expect(formReducer(two, { type: 'date-removed', date: '2026-11-22' }).open_date).toBe(
      '2026-11-23',
    );
  });
});

describe('requests while the form is open', () => {
  const first = {
    respawn_id: 7,
    date: '2026-11-21',
    hour_start: 14,
    custom_duration: 2,
    is_suggestion: false,
    is_link_over: false,
  };
  const ask = (state: FormState, change: Partial<FirstChoice>): FormState =>
    formReducer(state, { type: 'requested', first: { ...first, ...change } });
  const opened = formReducer(firstFormState(first), {
    type: 'date-added',
    row: row('2026-11-22', 3),
  });

  test('sets the spot and the hours of its date; the other dates and a second spot stay', () => {
    const secondary = { respawn_id: 9, hour_start: 20 };
    const chosen = formReducer(opened, {
      type: 'secondary-changed',
      date: '2026-11-21',
      secondary,
    });
    const state = ask(chosen, { respawn_id: 8, hour_start: 5, custom_duration: 1 });
    expect(state).toMatchObject({ respawn_id: 8, open_date: '2026-11-21' });
    expect(state.rows).toEqual([
      { ...row('2026-11-21', 5), custom_duration: 1, secondary },
      row('2026-11-22', 3),
    ]);
  });

  test('adds its date, for which an untouched suggestion gives way', () => {
    expect(dates(ask(opened, { date: '2026-11-24' }))).toEqual([
      '2026-11-21',
      '2026-11-22',
      '2026-11-24',
    ]);
    const suggested = firstFormState({ ...first, hour_start: null, is_suggestion: true });
    expect(dates(ask(suggested, { date: '2026-11-24' }))).toEqual(['2026-11-24']);
  });

  test('a spot alone leaves all dates and hours', () => {
    const state = ask(opened, {
      respawn_id: 8,
      date: '2026-11-23',
      hour_start: null,
      is_suggestion: true,
    });
    expect(state).toEqual({ ...opened, respawn_id: 8 });
  });
});

describe('hours', () => {
  const opened = formReducer(
    firstFormState({
      respawn_id: 7,
      date: '2026-11-21',
      hour_start: 14,
      is_suggestion: false,
      is_link_over: false,
    }),
    {
      type: 'date-added',
      row: row('2026-11-22', 14),
    },
  );

  test('change on their own date only', () => {
    const state = formReducer(opened, { type: 'hours-chosen', date: '2026-11-22', hour_start: 3 });
    expect(state.rows.map(({ hour_start }) => hour_start)).toEqual([14, 3]);
  });

  test('carry over to dates that have none of their own, and later changes with them; never to a date that was only suggested', () => {
    const opened = firstFormState({
      respawn_id: 7,
      date: '2026-11-21',
      hour_start: null,
      is_suggestion: true,
      is_link_over: false,
    });
    const withDates = ['2026-11-22', '2026-11-23', '2026-11-24'].reduce(
      (state, date) => formReducer(state, { type: 'date-added', row: row(date) }),
      opened,
    );
    const choose = (state: FormState, date: string, hour_start: number): FormState => {
      const followers = followersOf(state, date).map((follower) => ({ ...follower, hour_start }));
      return formReducer(state, { type: 'hours-chosen', date, hour_start, followers });
    };
    const hours = (state: FormState): (number | null)[] =>
      state.rows.map(({ hour_start }) => hour_start);
    const first = choose(withDates, '2026-11-24', 14);
    expect(hours(first)).toEqual([null, 14, 14, 14]);
    const own = choose(first, '2026-11-23', 3);
    expect(hours(own)).toEqual([null, 3, 3, 14]);
    expect(hours(choose(own, '2026-11-24', 20))).toEqual([null, 3, 3, 20]);
    expect(hours(choose(own, '2026-11-23', 5))).toEqual([null, 5, 5, 14]);
    expect(followersOf(choose(own, '2026-11-22', 6), '2026-11-23')).toEqual([]);
  });

  test('a duration is kept for its date, within a voucher that was shortened', () => {
    const state = formReducer(opened, {
      type: 'hours-chosen',
      date: '2026-11-21',
      custom_duration: 3,
    });
    const [first, second] = state.rows;
    expect(first && durationOf(first, 4)).toBe(3);
    expect(second && durationOf(second, 4)).toBe(4);
    expect(first && durationOf(first, 2)).toBe(2);
  });

  test('a respawn chosen later keeps dates and hours', () => {
    const state = formReducer(opened, { type: 'respawn-chosen', respawn_id: 9 });
    expect(state.respawn_id).toBe(9);
    expect(state.rows).toBe(opened.rows);
  });

  test('stay where they are while the date is split, for when that is cancelled', () => {
    const part = { respawn_id: 7, hour_start: 10, duration: 2 };
    const split = [
      { ...part, part_number: 1 },
      { ...part, part_number: 2, hour_start: 14 },
    ] as const;
    const state = formReducer(opened, { type: 'split-changed', date: '2026-11-21', split });
    expect(state.rows[0]).toEqual({ ...row('2026-11-21', 14), split });
    expect(
      formReducer(state, { type: 'split-changed', date: '2026-11-21', split: null }).rows,
    ).toEqual(opened.rows);
  });

  test('a secondary claim is listed beside them, and can be cancelled', () => {
    const secondary = { respawn_id: 9, hour_start: 3 };
    const state = formReducer(opened, { type: 'secondary-changed', date: '2026-11-22', secondary });
    expect(state.rows.map((one) => one.secondary)).toEqual([null, secondary]);
    expect(
      formReducer(state, { type: 'secondary-changed', date: '2026-11-22', secondary: null }).rows,
    ).toEqual(opened.rows);
  });

  test('a tried submission is remembered', () => {
    expect(formReducer(opened, { type: 'submit-tried' }).tried).toBe(true);
  });
});

/** As today begins, for a member. */
const TODAY: ClaimTime = {
  today: '2026-11-21',
  hour: 0,
  horizon_days: 60,
  may_enter_past: false,
  clock: { ss_time_zone: 'America/Los_Angeles', ss_hour: 1 },
};
const oneDay = (date: string): Period => ({ first: date, last: date, event_id: null });

describe('dates on offer', () => {
  const event = eventOf({ start_time: '2026-11-15 10:00', end_time: '2026-11-23 10:00' });

  test("are the event's from today on", () => {
    expect(datesOnOffer(event, TODAY)).toEqual(['2026-11-21', '2026-11-22', '2026-11-23']);
    expect(datesOnOffer(event, { ...TODAY, today: '2026-11-01' })).toHaveLength(9);
    expect(datesOnOffer(event, { ...TODAY, today: '2026-11-24' })).toEqual([]);
  });

  test('are the next 14 days without an event', () => {
    const dates = datesOnOffer(null, TODAY);
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([14, '2026-11-21', '2026-12-04']);
  });

  test('reach no further than the horizon', () => {
    expect(datesOnOffer(null, { ...TODAY, horizon_days: 2 })).toEqual([
      '2026-11-21',
      '2026-11-22',
      '2026-11-23',
    ]);
    expect(nextDay('2026-11-22', [], null, { ...TODAY, horizon_days: 2 })).toEqual({
      date: '2026-11-23',
    });
    expect(nextDay('2026-11-23', [], null, { ...TODAY, horizon_days: 2 })).toEqual({
      refused: 'beyondHorizon',
    });
    expect(
      nextDay(
        '2026-11-23',
        [],
        { ...event, end_time: '2027-11-01' },
        { ...TODAY, horizon_days: 2 },
      ),
    ).toEqual({ date: '2026-11-24' });
  });

  test('include earlier ones for an admin: the last two weeks, or all of the event', () => {
    const admin = { ...TODAY, may_enter_past: true };
    const dates = datesOnOffer(null, admin);
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([28, '2026-11-07', '2026-12-04']);
    expect(datesOnOffer(event, admin)).toHaveLength(9);
    expect(firstChoice(new URLSearchParams(), null, admin).date).toBe('2026-11-21');
    expect(firstChoice(new URLSearchParams('date=2026-11-19'), null, admin)).toMatchObject({
      date: '2026-11-19',
      is_link_over: false,
    });
    expect(firstChoice(new URLSearchParams(), event, { ...admin, today: '2026-12-24' }).date).toBe(
      '2026-11-23',
    );
  });

  test('an admin’s link requests any day up to the horizon; within an event, its days', () => {
    const admin = { ...TODAY, may_enter_past: true };
    const choiceFor = (date: string, during = false, time = admin) =>
      firstChoice(new URLSearchParams({ date }), during ? event : null, time);
    expect(choiceFor('2026-08-02')).toMatchObject({
      date: '2026-08-02',
      is_suggestion: false,
      is_link_over: false,
    });
    expect(choiceFor('2027-01-20').date).toBe('2027-01-20');
    for (const refused of ['2027-01-21', '2026-02-30', 'today'])
      expect(choiceFor(refused).date).toBe('2026-11-21');
    expect(choiceFor('2026-08-02', true)).toMatchObject({ date: '2026-11-21', is_link_over: true });
    expect(choiceFor('2026-08-02', false, TODAY)).toMatchObject({
      date: '2026-11-21',
      is_link_over: true,
    });
  });

  test('a claim of a single_claim event covers them all', () => {
    const whole = { first: '2026-11-15', last: '2026-11-23', event_id: event.id };
    expect(coveredPeriod('2026-11-15', { ...event, type: 'single_claim' })).toEqual(whole);
    expect(coveredPeriod('2026-11-16', event)).toEqual(oneDay('2026-11-16'));
  });

  test('the next day stays within the event and is added once', () => {
    expect(nextDay('2026-11-22', [], event, TODAY)).toEqual({ date: '2026-11-23' });
    expect(nextDay('2026-11-23', [], event, TODAY)).toEqual({ refused: 'beyondEvent' });
    expect(nextDay('2026-11-21', ['2026-11-22'], event, TODAY)).toEqual({
      refused: 'alreadyAdded',
    });
  });
});

describe('requests in the address', () => {
  const choice = (query: string) => firstChoice(new URLSearchParams(query), null, TODAY);

  test('is chosen when it can be', () => {
    expect(choice('respawn=12&date=2026-11-23&hour=14&hours=3')).toEqual({
      respawn_id: 12,
      date: '2026-11-23',
      hour_start: 14,
      custom_duration: 3,
      is_suggestion: false,
      is_link_over: false,
    });
  });

  test('is left out when it cannot', () => {
    expect(choice('respawn=x&date=2025-01-01&hour=24&hours=0')).toEqual({
      respawn_id: null,
      date: '2026-11-21',
      hour_start: null,
      custom_duration: null,
      is_suggestion: true,
      is_link_over: true,
    });
  });
});
