import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyChanges, applySnapshot, clearBoard, useBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { aCategory, aClaim, aConfig, aSpot } from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { TooltipHost } from '../../ui/tooltip.tsx';
import { Board } from './board.tsx';
// Loaded already, so that no test waits for it.
import './timeline/timeline.tsx';

const arden = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'K',
  isVerified: true,
  createdAt: '',
};
const TITLE = 'Claims are closed';

// 21:30 UTC is 13:30 Pacific, which is SS+12.
beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  useSession.setState({ status: 'ready', current: arden, profiles: [arden], admin: null });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.restoreAllMocks();
  clearBoard();
  useSession.setState({ current: null, profiles: [], admin: null });
});

const spots = [aSpot(1, 'Fire Library', 10), aSpot(2, 'Cobra Bastion', 10)];

function show(address: string, submission_enabled: 0 | 1): void {
  const claim = [aClaim({ id: 1, respawn_id: 1, character_name: 'Mira Stormcrow' })];
  applySnapshot(1, {
    respawn: spots,
    category: [aCategory(10, 'Ankrahmun')],
    claim,
    config: [aConfig({ submission_enabled })],
  });
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
        <TooltipHost />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}

const turn = (submission_enabled: 0 | 1): void =>
  act(() => {
    const clock = useBoard.getState().clock + 1;
    applyChanges({
      clock,
      changes: [{ op: 'put', kind: 'config', record: aConfig({ submission_enabled }) }],
    });
  });

const isShut = (link: HTMLElement): boolean =>
  link.getAttribute('aria-disabled') === 'true' && !link.hasAttribute('href');

test('cards and tiles lead to the form until an admin closes claims, and again when claims open; the focus stays', () => {
  show('/?free=16&for=2', 1);
  const links = (): HTMLElement[] =>
    screen.getAllByRole('link', { name: /Fire Library|Cobra Bastion/ });
  expect(links().length).toBeGreaterThan(2);
  expect(links().some(isShut)).toBe(false);
  expect(screen.queryByText(TITLE)).toBeNull();
  links()[0]?.focus();
  turn(0);
  expect(links().every(isShut)).toBe(true);
  expect(screen.getByText(`${TITLE}.`).closest('[role="status"]')).toBeTruthy();
  expect(screen.queryByText('Claim SS+16 to SS+18')).toBeNull();
  expect(document.activeElement).toBe(links()[0]);
  turn(1);
  expect(links().some(isShut)).toBe(false);
  expect(screen.queryByText(TITLE)).toBeNull();
  expect(screen.queryByText(`${TITLE}.`)).toBeNull();
});

test('a strip takes no hours while claims are closed', () => {
  show('/', 0);
  expect(document.querySelector('[data-hours-of]')).toBeNull();
  turn(1);
  expect(document.querySelector('[data-hours-of]')).not.toBeNull();
});

test('a free hour of the timeline says that claims are closed, and asks about no claim', async () => {
  show('/?view=timeline', 0);
  const hour = await screen.findByRole('link', {
    name: /^Claim Cobra Bastion from SS\+16, .*Claims are closed$/,
  });
  expect(isShut(hour)).toBe(true);
  await userEvent.click(hour);
  expect(screen.getByRole('tooltip').textContent).toContain(TITLE);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an admin can still claim for others, and sees that members cannot', () => {
  useSession.setState({
    current: null,
    profiles: [],
    admin: { username: 'Thora', token: 't', role: 'owner' },
  });
  show('/', 0);
  expect(screen.getByText(/^Members can't submit claims right now/)).toBeTruthy();
  expect(screen.getAllByRole('link', { name: /Fire Library|Cobra Bastion/ }).some(isShut)).toBe(
    false,
  );
});
