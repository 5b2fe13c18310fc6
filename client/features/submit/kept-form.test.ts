import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dropKeptForm, type KeptForm, keepForm, keptForm } from './kept-form.ts';

const part = { part_number: 1, respawn_id: 7, hour_start: 10, duration: 2 };
const FORM: KeptForm = {
  of: 'member riley ashdown',
  event_id: null,
  search: 'respawn=7',
  requested: '',
  claimant: { character_name: '', member_type: 'member' },
  state: {
    respawn_id: 7,
    open_date: '2026-11-21',
    suggested_date: null,
    is_link_over: false,
    turn: null,
    tried: false,
    own_hours: ['2026-11-21'],
    is_changed: true,
    rows: [
      {
        date: '2026-11-21',
        hour_start: 14,
        custom_duration: 3,
        split: null,
        secondary: { respawn_id: 8, hour_start: 14 },
      },
      {
        date: '2026-11-22',
        hour_start: null,
        custom_duration: null,
        split: [part, { ...part, part_number: 2 }],
        secondary: null,
      },
    ],
  },
};
const stored = (): string => sessionStorage.getItem('claimForm') ?? '';
const read = (change: Partial<KeptForm> = {}, isReturn = true): KeptForm | null =>
  keptForm({ ...FORM, ...change }, isReturn);

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00Z') }),
);
afterEach(() => {
  dropKeptForm();
  document.querySelector('meta')?.remove();
  vi.useRealTimers();
});

test('survives a reload, with all that was chosen', () => {
  keepForm(FORM);
  expect(read()?.state).toEqual(FORM.state);
  expect(read({ search: '' }, false)?.state).toEqual(FORM.state);
});

// Section 3, "Claim form row (local)".
test('stores its rows under the names of the specification', () => {
  keepForm(FORM);
  expect(JSON.parse(stored()).state.rows).toEqual([
    {
      date: '2026-11-21',
      hour_start: 14,
      custom_duration: 3,
      is_split: false,
      split_data: null,
      is_secondary: true,
      secondary_respawn_id: 8,
      secondary_hour_start: 14,
      secondary_priority: 5,
    },
    {
      date: '2026-11-22',
      hour_start: null,
      custom_duration: null,
      is_split: true,
      split_data: [part, { ...part, part_number: 2 }],
      is_secondary: false,
      secondary_respawn_id: null,
      secondary_hour_start: null,
      secondary_priority: 0,
    },
  ]);
});

test('a form with the former rows is dropped', () => {
  keepForm(FORM);
  const former = JSON.parse(stored());
  former.state.rows = FORM.state.rows;
  sessionStorage.setItem('claimForm', JSON.stringify(former));
  expect(read()).toBeNull();
});

test('is only for its person, its event and its request', () => {
  keepForm(FORM);
  expect(read({ of: 'member sable quinn' })).toBeNull();
  expect(read({ event_id: 3 })).toBeNull();
  expect(read({ search: 'respawn=9' })).toBeNull();
  expect(read({}, false)).toBeNull();
});

test('is dropped after two hours, by another build, and where it cannot be read', () => {
  keepForm(FORM);
  vi.setSystemTime('2026-11-21T11:59:00Z');
  expect(read()).not.toBeNull();
  vi.setSystemTime('2026-11-21T12:01:00Z');
  expect(read()).toBeNull();
  keepForm(FORM);
  const build = document.createElement('meta');
  build.name = 'claimboard-build';
  build.content = 'newer';
  document.head.append(build);
  expect(read()).toBeNull();
  build.remove();
  for (const broken of ['', '{', '7', '{"state":{}}', stored().replace('"rows"', '"lines"')]) {
    sessionStorage.setItem('claimForm', broken);
    expect(read()).toBeNull();
  }
});

test('a form as it opened leaves the kept one alone; an admin’s with a name typed is kept', () => {
  keepForm(FORM);
  keepForm({ ...FORM, search: 'respawn=9', state: { ...FORM.state, is_changed: false } });
  expect(read()).not.toBeNull();
  const of = 'admin thora';
  keepForm({
    ...FORM,
    of,
    claimant: { character_name: 'Sable Quinn', member_type: 'elite' },
    state: { ...FORM.state, is_changed: false },
  });
  expect(read({ of })?.claimant).toEqual({ character_name: 'Sable Quinn', member_type: 'elite' });
});

test('no access key is stored', () => {
  const withKey = { character_name: '', member_type: 'member', access_key: 'SECRET-KEY' };
  keepForm({ ...FORM, claimant: withKey });
  expect(stored()).not.toContain('SECRET');
});
