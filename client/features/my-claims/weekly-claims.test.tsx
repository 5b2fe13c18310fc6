import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StandingClaim } from '../../../shared/schemas/standing-claim.ts';
import { aClaim, aWeeklyClaim as aStoredRule, aType } from '../../test/records.ts';
import './weekly-claim-dialog.tsx';
import {
  arden,
  endMine,
  localTimes,
  mira,
  mockServer,
  NOTHING,
  NOW,
  ok,
  push,
  refused,
  type Sent,
  showMine,
  signIn,
  startMine,
} from './test/show-my-claims.tsx';

beforeEach(startMine);
afterEach(endMine);

const panel = (name: string): HTMLElement => screen.getByRole('region', { name });
const textOf = (element: HTMLElement): string =>
  (element.textContent ?? '').replace(/\s+/g, ' ').trim();
const WEEKLY_CLAIMS = `GET /api/standing?at=${Date.parse(NOW)}`;
const ON = { standing_enabled: 1, standing_days_ahead: 7 } as const;

const aWeeklyClaim = (change: Partial<StandingClaim> = {}): StandingClaim =>
  aStoredRule({ character_name: 'Arden Vale', respawn_name: 'The Gloom', ...change });

const MORE = 'More, Every week, Fire Library';
/** Chooses a command of the menu of the weekly claim for Fire Library. */
async function chooseMore(command: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: MORE }));
  await userEvent.click(await screen.findByRole('menuitem', { name: command }));
}

test('says why a weekly claim makes nothing, and that one ended with its spot', async () => {
  const weeklyClaims = [
    aWeeklyClaim({ respawn_id: 77, stopped: 'spot' }),
    aWeeklyClaim({
      id: 5,
      respawn_id: 78,
      respawn_name: 'Lost Cave',
      ended_at: NOW,
      end_reason: 'spot',
      next_date: null,
    }),
  ];
  mockServer(() => NOTHING, { [WEEKLY_CLAIMS]: () => ok(weeklyClaims) });
  await showMine({}, ON);
  const [stopped, ended] = await within(panel('Every week')).findAllByRole('listitem');
  expect(stopped && textOf(stopped)).toContain('The Gloom');
  expect(stopped && textOf(stopped)).toContain('Paused: the spot takes no claims right now');
  expect(ended && textOf(ended)).toContain('Lost Cave');
  expect(ended && textOf(ended)).toContain('Ended: the spot was deleted');
  expect(ended && within(ended).queryByRole('button')).toBeNull();
});

test('is invisible, and asks for nothing, where the guild has no weekly claims', async () => {
  const sent = mockServer(() => NOTHING);
  await showMine({ claim: [aClaim({ id: 1, hour_start: 18, hour_end: 22 })] });
  expect(screen.queryByRole('region', { name: 'Every week' })).toBeNull();
  expect(screen.queryByRole('button', { name: /weekly/ })).toBeNull();
  expect(sent.map(({ call }) => call)).toEqual(['GET endings']);
});

test('lists the weekly claims of every character with the next date and the dates that were skipped, with reasons', async () => {
  const skipped = [
    { date: '2026-11-24', code: 'claim.timeConflict', wait_id: 3 },
    { date: '2026-11-19', code: 'some.newCode', wait_id: null },
  ];
  const rulesOf = ({ key }: Sent): Response =>
    ok(
      key === 'MIRAS-KEY'
        ? [aWeeklyClaim({ id: 5, character_name: 'Mira Stormcrow', is_paused: 1, next_date: null })]
        : [aWeeklyClaim({ skipped })],
    );
  mockServer(() => NOTHING, { [WEEKLY_CLAIMS]: rulesOf });
  signIn(arden, mira);
  await showMine({}, ON);
  const rows = await within(panel('Every week')).findAllByText(/Fire Library/);
  expect(rows).toHaveLength(2);
  const text = textOf(panel('Every week'));
  expect(text).toContain('Tue, Thu, SS+10 to SS+14');
  expect(text).toContain('Next: Tue 1 Dec, claimed on Tue 24 Nov');
  expect(text).toContain(
    '2 dates skippedTue 24 Nov: hours taken, joined the waitlistThu 19 Nov: no claim possible',
  );
  expect(text).toMatch(/Fire LibraryPaused.*Mira Stormcrow/);
});

test('pauses and resumes with the key of the weekly claim’s own character', async () => {
  let weeklyClaim = aWeeklyClaim();
  const sent = mockServer(() => NOTHING, {
    [WEEKLY_CLAIMS]: () => ok([weeklyClaim]),
    'PUT /api/standing/4': ({ body }) => {
      weeklyClaim = { ...weeklyClaim, ...(body instanceof Object ? body : {}) };
      return ok(weeklyClaim);
    },
  });
  await showMine({}, ON);
  await chooseMore('Pause');
  await chooseMore('Resume');
  expect(await screen.findByText('Resumed: Fire Library')).toBeTruthy();
  expect(sent.filter(({ call }) => call.startsWith('PUT'))).toEqual([
    { call: 'PUT /api/standing/4', key: 'ARDENS-KEY', body: { is_paused: 1 } },
    { call: 'PUT /api/standing/4', key: 'ARDENS-KEY', body: { is_paused: 0 } },
  ]);
});

test('a new weekly claim is made by keyboard; what would happen is shown before it is saved', async () => {
  const occurrences = [
    {
      date: '2026-11-24',
      outcome: 'skipped',
      refusal: { code: 'claim.characterHasClaim', params: {} },
    },
    { date: '2026-11-26', outcome: 'claimed', refusal: null },
    { date: '2026-12-01', outcome: 'later', refusal: null },
  ];
  const sent = mockServer(() => NOTHING, {
    [WEEKLY_CLAIMS]: () => ok([]),
    'POST /api/standing/preview': () => ok(occurrences),
    'POST /api/standing': () => ok(aWeeklyClaim()),
  });
  await showMine({}, ON);
  (await screen.findByRole('button', { name: 'New weekly claim…' })).focus();
  await userEvent.keyboard('{Enter}');
  const dialog = await screen.findByRole('dialog', { name: 'New weekly claim' });
  const save = within(dialog).getByRole('button', { name: 'Save weekly claim' });
  expect(save.getAttribute('aria-disabled')).toBe('true');
  within(dialog).getByRole('combobox', { name: 'Spot' }).focus();
  await userEvent.keyboard('fire{Enter}');
  for (const day of ['Tuesday', 'Thursday']) {
    within(dialog).getByRole('checkbox', { name: day }).focus();
    await userEvent.keyboard(' ');
  }
  const preview = await within(dialog).findByText('Skipped: another claim on this date');
  expect(textOf(preview.closest('ul') ?? preview)).toBe(
    'Tue 24 Nov Skipped: another claim on this dateThu 26 Nov Claimed nowTue 1 Dec Claimed on Tue 24 Nov',
  );
  save.focus();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText('Weekly claim saved: Fire Library')).toBeTruthy();
  const body = {
    respawn_id: 1,
    weekdays: [2, 4],
    hour_start: 10,
    hour_end: 14,
    join_waitlist: 0,
    from: '2026-11-21',
    until: null,
  };
  expect(sent.find(({ call }) => call === 'POST /api/standing')).toEqual({
    call: 'POST /api/standing',
    key: 'ARDENS-KEY',
    body,
  });
});

test('a claim becomes a weekly one with its spot, weekday and hours; a refusal is shown and the form stays', async () => {
  const sent = mockServer(() => NOTHING, {
    [WEEKLY_CLAIMS]: () => ok([]),
    'POST /api/standing/preview': () => ok([]),
    'POST /api/standing': () => refused(409, 'standing.disabled'),
  });
  const claims = [
    aClaim({ id: 1, hour_start: 18, hour_end: 22 }),
    aClaim({ id: 2, respawn_id: 2, date: '2026-11-22', standing_id: 4 }),
  ];
  await showMine({ claim: claims }, ON);
  expect(panel('Coming up').querySelectorAll('[data-weekly]')).toHaveLength(1);
  await userEvent.click(
    screen.getByRole('button', { name: 'Make this a weekly claim…, Fire Library' }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Save weekly claim' }));
  expect(await screen.findByText('Weekly claims are off right now.')).toBeTruthy();
  expect(sent.find(({ call }) => call === 'POST /api/standing')?.body).toMatchObject({
    respawn_id: 1,
    weekdays: [6],
    hour_start: 18,
    hour_end: 22,
    from: '2026-11-22',
  });
});

test('ending asks whether the upcoming claims stay, also those that the board does not show', async () => {
  let weeklyClaims = [aWeeklyClaim()];
  const sent = mockServer(() => NOTHING, {
    [WEEKLY_CLAIMS]: () => ok(weeklyClaims),
    [`GET /api/standing/4/claims?at=${Date.parse(NOW)}`]: () => ok({ count: 2 }),
    [`DELETE /api/standing/4?claims=release&at=${Date.parse(NOW)}`]: () => {
      weeklyClaims = [];
      return ok();
    },
  });
  await showMine({ claim: [aClaim({ id: 1, date: '2026-11-24', standing_id: 4 })] }, ON);
  await chooseMore('End…');
  const question = await screen.findByRole('alertdialog', {
    name: 'End the weekly claim for Fire Library?',
  });
  expect(await within(question).findByRole('radio', { name: 'Keep 2 claims' })).toHaveProperty(
    'checked',
    true,
  );
  await userEvent.click(within(question).getByRole('radio', { name: 'Release 2 claims' }));
  await userEvent.click(within(question).getByRole('button', { name: 'End weekly claim' }));
  expect(await screen.findByText('Weekly claim ended: Fire Library')).toBeTruthy();
  expect(sent.filter(({ call }) => call.startsWith('DELETE'))).toHaveLength(1);
  expect(await screen.findByText('You have no weekly claims')).toBeTruthy();
});

test('ending asks it, too, where their number is not known yet or cannot be read', async () => {
  const sent = mockServer(() => NOTHING, {
    [WEEKLY_CLAIMS]: () => ok([aWeeklyClaim()]),
    [`GET /api/standing/4/claims?at=${Date.parse(NOW)}`]: () => refused(503, 'server.stopping'),
    [`DELETE /api/standing/4?claims=release&at=${Date.parse(NOW)}`]: () => ok(),
  });
  await showMine({}, ON);
  await chooseMore('End…');
  const question = await screen.findByRole('alertdialog', {
    name: 'End the weekly claim for Fire Library?',
  });
  expect(within(question).getByRole('radio', { name: 'Keep its claims' })).toHaveProperty(
    'checked',
    true,
  );
  await userEvent.click(within(question).getByRole('radio', { name: 'Release its claims' }));
  await userEvent.click(within(question).getByRole('button', { name: 'End weekly claim' }));
  expect(await screen.findByText('Weekly claim ended: Fire Library')).toBeTruthy();
  expect(sent.filter(({ call }) => call.startsWith('DELETE'))).toHaveLength(1);
});

test('does not say that there are none while they load, nor after that failed', async () => {
  const answer = Promise.withResolvers<Response>();
  mockServer(() => NOTHING, { [WEEKLY_CLAIMS]: () => answer.promise });
  await showMine({}, ON);
  expect(within(panel('Every week')).queryByText('You have no weekly claims')).toBeNull();
  answer.resolve(refused(503, 'server.stopping'));
  const alert = await within(panel('Every week')).findByRole('alert');
  expect(alert.textContent).toContain("Couldn't load your weekly claims");
  expect(screen.queryByText('You have no weekly claims')).toBeNull();
  mockServer(() => NOTHING, { [WEEKLY_CLAIMS]: () => ok([]) });
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('You have no weekly claims')).toBeTruthy();
});

test.each([
  [15, '9', '24'],
  [24, '0', '24'],
])('a voucher of %i h fits the day when the dialog opens', async (hours, start, end) => {
  mockServer(() => NOTHING, { [WEEKLY_CLAIMS]: () => ok([]) });
  await showMine({ member_type: [aType('member', { voucher_duration_hours: hours })] }, ON);
  await userEvent.click(await screen.findByRole('button', { name: 'New weekly claim…' }));
  const dialog = await screen.findByRole('dialog', { name: 'New weekly claim' });
  const chosen = (label: string): string =>
    within(dialog).getByLabelText<HTMLSelectElement>(label).value;
  expect([chosen('Start'), chosen('End')]).toEqual([start, end]);
});

test('the viewer’s own time is named after the weekly claim’s weekday, not today’s', async () => {
  localTimes.of = (date, hour) => `${date} ${hour}:00`;
  mockServer(() => NOTHING, {
    [WEEKLY_CLAIMS]: () => ok([aWeeklyClaim({ weekdays: [7], is_paused: 1, next_date: null })]),
    'POST /api/standing/preview': () => ok([]),
  });
  await showMine({}, ON);
  await screen.findByRole('button', { name: MORE });
  expect(textOf(panel('Every week'))).toContain('2026-11-22 10:00');
  await chooseMore('Edit…');
  const dialog = await screen.findByRole('dialog', { name: 'Edit weekly claim' });
  expect(textOf(dialog)).toContain('2026-11-22 10:00');
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Sunday' }));
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Wednesday' }));
  expect(textOf(dialog)).toContain('2026-11-25 10:00');
});

test('with several weekdays the viewer’s day is named for each, without one for none', async () => {
  // A viewer for whom SS+10 is after midnight.
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  localTimes.of = (date, hour, since) =>
    since === undefined ? `${days[(new Date(date).getUTCDay() + 1) % 7]} ${hour}:00` : `${hour}:00`;
  mockServer(() => NOTHING, {
    [WEEKLY_CLAIMS]: () => ok([aWeeklyClaim({ weekdays: [1, 4] })]),
  });
  await showMine({}, ON);
  await screen.findByRole('button', { name: MORE });
  expect(textOf(panel('Every week'))).toContain(
    'Mon, Thu, SS+10 to SS+14 Tue, Fri 10:00 to 14:00 your time',
  );
  await userEvent.click(screen.getByRole('button', { name: 'New weekly claim…' }));
  const dialog = await screen.findByRole('dialog', { name: 'New weekly claim' });
  expect(within(dialog).getByText('10:00 to 14:00 your time')).toBeTruthy();
});

test('a clock that is changed before the weekday still leaves its day named', async () => {
  // A viewer east of the server, whose summer time has ended by Monday.
  localTimes.of = (date, hour, since) => {
    const clock = `${date > '2026-11-21' ? hour : hour + 1}:00`;
    return since === undefined ? `Tue ${clock}` : clock;
  };
  mockServer(() => NOTHING, {
    [WEEKLY_CLAIMS]: () => ok([aWeeklyClaim({ weekdays: [1, 4] })]),
  });
  await showMine({}, ON);
  await screen.findByRole('button', { name: MORE });
  expect(textOf(panel('Every week'))).toContain('SS+10 to SS+14 Tue, Tue 11:00');
});

test.each([
  ['claimed', ['Sun 13 Dec Claimed now', 'Sun 20 Dec Claimed now', 'Until Sun, 7 Mar 2027']],
  ['later', ['Sun 13 Dec Claimed on Sun 6 Dec', 'then every Sunday', 'Until Sun, 7 Mar 2027']],
])(
  'the preview has four dates, more where more are judged, and says that it goes on or until when: %s',
  async (outcome, end) => {
    const dates = ['2026-11-22', '2026-11-29', '2026-12-06', '2026-12-13', '2026-12-20'];
    mockServer(() => NOTHING, {
      [WEEKLY_CLAIMS]: () => ok([aWeeklyClaim({ weekdays: [7], until: '2027-03-07' })]),
      'POST /api/standing/preview': () =>
        ok(dates.map((date) => ({ date, outcome, refusal: null }))),
    });
    await showMine({}, ON);
    await chooseMore('Edit…');
    const first = await screen.findByText('Sun 22 Nov');
    const lines = [...(first.closest('ul')?.children ?? [])].map((item) => item.textContent);
    expect(lines.slice(3)).toEqual(end);
  },
);

test('a change of another device is not overwritten unseen', async () => {
  let weeklyClaim = aWeeklyClaim();
  const sent = mockServer(() => NOTHING, {
    [WEEKLY_CLAIMS]: () => ok([weeklyClaim]),
    'POST /api/standing/preview': () => ok([]),
    'PUT /api/standing/4': ({ body }) => {
      const seen = body instanceof Object && 'seen' in body ? body.seen : null;
      if (JSON.stringify(seen).includes(`"hour_end":${weeklyClaim.hour_end}`))
        return ok(weeklyClaim);
      return refused(409, 'standing.changedMeanwhile');
    },
  });
  await showMine({}, ON);
  await chooseMore('Edit…');
  const dialog = await screen.findByRole('dialog', { name: 'Edit weekly claim' });
  const save = (): Promise<void> =>
    userEvent.click(within(dialog).getByRole('button', { name: 'Save weekly claim' }));
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Sunday' }));
  // Of another character's weekly claim the live connection says nothing: the server compares.
  weeklyClaim = aWeeklyClaim({ hour_end: 12 });
  await save();
  expect(
    await within(dialog).findByText('This weekly claim was changed on another device'),
  ).toBeTruthy();
  expect(textOf(dialog)).toContain('It is now: Fire Library, Tue, Thu, SS+10 to SS+12.');
  await save();
  expect(sent.filter(({ call }) => call.startsWith('PUT'))).toHaveLength(1);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep my changes' }));
  await save();
  expect(await screen.findByText('Weekly claim saved: Fire Library')).toBeTruthy();
  expect(sent.findLast(({ call }) => call.startsWith('PUT'))?.body).toMatchObject({
    weekdays: [2, 4, 7],
    hour_end: 12,
  });
});

test('a dialog in which nothing was typed follows a change of another device, and the end of the weekly claim', async () => {
  let weeklyClaims = [aWeeklyClaim()];
  mockServer(() => NOTHING, {
    [WEEKLY_CLAIMS]: () => ok(weeklyClaims),
    'POST /api/standing/preview': () => ok([]),
  });
  await showMine({}, ON);
  await chooseMore('Edit…');
  const dialog = await screen.findByRole('dialog', { name: 'Edit weekly claim' });
  weeklyClaims = [aWeeklyClaim({ hour_end: 12 })];
  push({ op: 'put', kind: 'standing_claim', record: aWeeklyClaim({ hour_end: 12 }) });
  expect(await within(dialog).findByText(/You're seeing the new version/)).toBeTruthy();
  expect(within(dialog).getByLabelText<HTMLSelectElement>('End').value).toBe('12');
  weeklyClaims = [];
  push({ op: 'remove', kind: 'standing_claim', id: 4 });
  expect(await within(dialog).findByText('This weekly claim has ended.')).toBeTruthy();
  expect(
    within(dialog).getByRole('button', { name: 'Save weekly claim' }).getAttribute('aria-disabled'),
  ).toBe('true');
});

test('is read again when the live connection says that a weekly claim changed', async () => {
  let weeklyClaims = [aWeeklyClaim()];
  mockServer(() => NOTHING, { [WEEKLY_CLAIMS]: () => ok(weeklyClaims) });
  await showMine({}, ON);
  await screen.findByRole('button', { name: MORE });
  weeklyClaims = [aWeeklyClaim({ is_paused: 1, next_date: null })];
  push({
    op: 'put',
    kind: 'standing_claim',
    record: aWeeklyClaim({ is_paused: 1, next_date: null }),
  });
  expect(await within(panel('Every week')).findByText('Paused')).toBeTruthy();
});
