import { act, fireEvent, render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Overlays } from '../../app.tsx';
import { saveLastBoard } from '../../state/board-place.ts';
import { applyChanges, applySnapshot } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import {
  aCategory,
  aClaim,
  aConfig,
  anActiveEvent,
  aSpot,
  aType,
  aWait,
} from '../../test/records.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { claimsOn } from '../claiming/day-claims.ts';
import {
  drag,
  freeHour,
  releasePointer,
  resetScene,
  setUpScene,
} from '../claiming/test/claim-scene.tsx';
import { WithSideBoard } from './with-side-board.tsx';

// Each render of a row or a card for other claims asks for its day's claims: counting the calls counts those.
vi.mock('../claiming/day-claims.ts', { spy: true });

/** Who listens to how wide the screen is. */
let widths: (() => void)[] = [];
let isWide = true;
const widen = (wide: boolean): void =>
  act(() => {
    isWide = wide;
    for (const changed of widths) changed();
  });

beforeEach(() => {
  setUpScene();
  widths = [];
  isWide = true;
  vi.stubGlobal('matchMedia', (query: string) => ({
    get matches() {
      return query === '(min-width: 1900px)' && isWide;
    },
    addEventListener: (_: string, changed: () => void) => widths.push(changed),
    removeEventListener: () => {},
  }));
});
afterEach(() => {
  saveLastBoard({ search: '' });
  resetScene();
});

function Address(): ReactNode {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}
const address = (): string | null => screen.getByTestId('address').textContent;

function show(at = '/input?respawn=1&date=2026-11-22', left = 'view=timeline'): void {
  saveLastBoard({ search: left });
  applySnapshot(1, {
    respawn: [aSpot(1, 'Fire Library', 10), aSpot(2, 'Cobra Bastion', 10)],
    category: [aCategory(10, 'Ankrahmun')],
    claim: [
      aClaim({
        id: 1,
        respawn_id: 1,
        date: '2026-11-22',
        hour_start: 19,
        hour_end: 22,
        character_name: 'Mira Stormcrow',
      }),
    ],
    event: [anActiveEvent()],
    member_type: [aType('member')],
    config: [aConfig()],
    wait: [
      aWait({
        respawn_id: 1,
        date: '2026-11-22',
        hour_start: 19,
        hour_end: 22,
        character_name: 'Old Bram',
      }),
    ],
  });
  render(
    <MemoryRouter initialEntries={[at]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <WithSideBoard>
          <input aria-label="Half typed" />
          <Address />
        </WithSideBoard>
        <Overlays />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const beside = (): Promise<HTMLElement> =>
  screen.findByRole('complementary', { name: 'The board' });

test('the board next to the form keeps its state, on the form’s date', async () => {
  show();
  const board = await beside();
  await within(board).findByRole('grid');
  expect(
    within(board).getByRole('button', { name: /^Mira Stormcrow, SS\+19 to SS\+22/ }),
  ).toBeTruthy();
  expect(within(board).getByText(/22 Nov/, { selector: 'p' })).toBeTruthy();
});

test('shows the waitlist as on the board, and lets members join for taken hours', async () => {
  show();
  await within(await beside()).findByRole('grid');
  fireEvent.click(
    screen.getByRole('button', {
      name: /^Mira Stormcrow, SS\+19 to SS\+22.*1 waiting.*Join waitlist for these hours/,
    }),
  );
  expect(await screen.findByRole('dialog', { name: /Fire Library/ })).toBeTruthy();
});

test('hours that are dragged over, or pressed, are filled into the form, and no box asks about them', async () => {
  show();
  await within(await beside()).findByRole('grid');
  await drag(14, 15);
  releasePointer();
  // The click that ends the drag.
  fireEvent.click(freeHour(15));
  expect(address()).toBe('/input?respawn=1&date=2026-11-22&hour=14&hours=2');
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(freeHour(8, 'Cobra Bastion'));
  expect(address()).toMatch(/^\/input\?respawn=2&date=2026-11-22&hour=8&hours=/);
});

test('a narrower screen shows the form alone, and input survives changes of the width', async () => {
  show();
  await beside();
  const field = screen.getByLabelText('Half typed');
  fireEvent.change(field, { target: { value: 'Old Br' } });
  widen(false);
  expect(screen.queryByRole('complementary')).toBeNull();
  expect(screen.getByLabelText('Half typed')).toBe(field);
  widen(true);
  await beside();
  expect(screen.getByLabelText('Half typed')).toBe(field);
  expect(field).toHaveProperty('value', 'Old Br');
});

test('a visitor is asked to log in and sees no board beside', () => {
  act(() => useSession.setState({ current: null, profiles: [] }));
  show();
  expect(screen.queryByRole('complementary')).toBeNull();
});

test('one live claim renders one of its rows', async () => {
  show();
  await within(await beside()).findByRole('grid');
  vi.mocked(claimsOn).mockClear();
  const record = aClaim({
    id: 9,
    respawn_id: 2,
    date: '2026-11-22',
    hour_start: 2,
    hour_end: 4,
    character_name: 'Old Bram',
  });
  act(() => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record }] }));
  expect(await screen.findByRole('button', { name: /^Old Bram, SS\+2 to SS\+4/ })).toBeTruthy();
  expect(new Set(vi.mocked(claimsOn).mock.calls.map(([, claims]) => claims)).size).toBe(1);
});
