import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../../shared/live.ts';
import { applySnapshot, clearBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { aCategory, aClaim, aConfig, anActiveEvent, aSpot, aType } from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { SubmitPage } from '../submit/submit-page.tsx';
import { Board } from './board.tsx';

const arden = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'K',
  isVerified: true,
  createdAt: '',
};
const mira = { ...arden, characterName: 'Mira Stormcrow', memberType: 'elite', accessKey: 'M' };

// 21:30 UTC is 13:30 Pacific, which is SS+12.
beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  useSession.setState({ status: 'ready', current: arden, profiles: [arden], admin: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  clearBoard();
  useSession.setState({ current: null, profiles: [], admin: null });
});

function show(page: 'board' | 'form', change: Snapshot, address = '/'): void {
  applySnapshot(1, {
    respawn: [aSpot(1, 'Fire Library', 10), aSpot(2, 'Cobra Bastion', 10)],
    category: [aCategory(10, 'Ankrahmun')],
    claim: [],
    member_type: [aType('member'), aType('elite')],
    config: [aConfig()],
    ...change,
  });
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        {page === 'board' ? <Board /> : <SubmitPage />}
      </LocalTimeContext>
    </MemoryRouter>,
  );
}

const used = aClaim({
  id: 9,
  respawn_id: 2,
  event_id: 1,
  character_name: 'Arden Vale',
  date: '2026-11-20',
  hour_start: 2,
  hour_end: 6,
});
const isShut = (): boolean =>
  document.querySelector('[data-hours-of]') === null &&
  screen
    .queryAllByRole('link', { name: /Fire Library|Cobra Bastion/ })
    .every((link) => link.getAttribute('aria-disabled') === 'true');
const TONIGHT = /^(Tonight|From now)/;

const OVER = 'The event ended on Fri 20 Nov. No dates are left to claim.';
const states: [string, Snapshot, RegExp, RegExp][] = [
  [
    'submission is closed',
    { config: [aConfig({ submission_enabled: 0 })] },
    /^Claims are closed/,
    /currently disabled/,
  ],
  [
    'the type may not submit',
    { member_type: [aType('member', { can_submit: 0 })] },
    /^Members of the type member cannot submit claims/,
    /^Members of the type member cannot submit claims/,
  ],
  [
    'the earliest date is to come',
    { member_type: [aType('member', { earliest_submission_date: '2026-11-24' })] },
    /^Your member type can submit claims from Tue 24 Nov/,
    /^Members of the type member can submit claims from Tue 24 Nov/,
  ],
  [
    'the event is over',
    { event: [anActiveEvent({ end_time: '2026-11-20T10:00' })] },
    new RegExp(OVER),
    new RegExp(OVER),
  ],
  [
    'the budget is used up',
    {
      event: [anActiveEvent()],
      claim: [used],
      member_type: [aType('member', { max_hours_per_event: 4 })],
    },
    /^0 of 4 h left in this event/,
    /^0 of 4 h left in this event/,
  ],
];

describe.each(states)('R4.15: if %s', (_, change, onBoard, inForm) => {
  test('the board says so above its spots, and nothing invites to claim', () => {
    show('board', change);
    const notice = screen
      .getAllByRole('status')
      .find(({ textContent }) => onBoard.test(textContent ?? ''));
    expect(notice).toBeDefined();
    expect(isShut()).toBe(true);
    expect(screen.queryByRole('button', { name: TONIGHT })).toBeNull();
  });

  test('the form says so in its place', () => {
    show('form', change, '/input');
    expect(screen.getByText('Claims Submission Disabled')).toBeTruthy();
    expect(screen.getByText(inForm)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Submit/ })).toBeNull();
  });
});

test('the board invites to claim otherwise, also if another character of this browser can', () => {
  const invites = (): void => {
    expect(isShut()).toBe(false);
    expect(screen.getByRole('button', { name: TONIGHT })).toBeTruthy();
  };
  show('board', {});
  invites();
  document.body.replaceChildren();
  useSession.setState({ profiles: [arden, mira] });
  show('board', { member_type: [aType('member', { can_submit: 0 }), aType('elite')] });
  invites();
});

test('an event to come says when it starts, on the board and in the form', () => {
  const event = [anActiveEvent({ name: 'Double loot', start_time: '2026-11-25T10:00' })];
  const sentence = 'Double loot starts on Wed 25 Nov. Only its days can be claimed.';
  show('board', { event });
  expect(screen.getByText(sentence)).toBeTruthy();
  expect(isShut()).toBe(false);
  document.body.replaceChildren();
  show('form', { event }, '/input');
  expect(screen.getByText(sentence)).toBeTruthy();
});

test('R3.10: a day beyond the horizon says so', () => {
  show('board', { config: [aConfig({ horizon_days: 2 })] }, '/?date=2026-11-24');
  expect(
    screen.getByText('Tue 24 Nov is too far ahead. You can claim up to Mon 23 Nov.'),
  ).toBeTruthy();
  expect(isShut()).toBe(true);
});

test('R3.9: a day of the event that is over invites to nothing', () => {
  show('board', { event: [anActiveEvent()] }, '/?date=2026-11-19');
  expect(isShut()).toBe(true);
});
