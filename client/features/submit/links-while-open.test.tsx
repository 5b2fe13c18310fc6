import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes, useNavigate } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { AdminInputPage } from './submit-page.tsx';
import { FakeServer, ok } from './test/fake-server.ts';
import { signInAsAdmin } from './test/show-submit-page.tsx';

beforeEach(() => {
  clearBoard();
  new FakeServer()
    .on('GET', '/respawns/', () => ok([]))
    .on('GET', '/claims/check-character-claims/', () =>
      ok({ hasClaimsForDate: false, claimsForDate: [] }),
    );
});
afterEach(() => {
  useSession.setState({ admin: null });
  vi.unstubAllGlobals();
});

/** The board beside the form: a press on it is another address of the same page. */
function Beside() {
  const navigate = useNavigate();
  const press = (search: string) => () => navigate(`/admin/input${search}`, { replace: true });
  return (
    <>
      <button type="button" onClick={press('?respawn=2&date=2026-11-21&hour=14&hours=2')}>
        Fire Library at 14
      </button>
      <button type="button" onClick={press('?respawn=2&date=2026-11-22&hour=9&hours=3')}>
        Tomorrow at 9
      </button>
    </>
  );
}
const press = (name: string): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));
const dates = (): string[] =>
  screen
    .getAllByRole('checkbox', { checked: true })
    .map((box) => box.getAttribute('value') ?? box.closest('label')?.textContent ?? '')
    .filter((text) => text !== '');
const isChosen = (hour: number): boolean =>
  screen
    .getByRole('button', { name: new RegExp(`^SS\\+${hour},`) })
    .getAttribute('aria-pressed') === 'true';

test('another press on the board next to the form sets spot and hours, and keeps the named claimant and the other dates', async () => {
  signInAsAdmin();
  render(
    <MemoryRouter initialEntries={['/admin/input']}>
      <LocalTimeContext value={(_date, hour) => `${hour}:00`}>
        <Beside />
        <Routes>
          <Route path="/admin/input" element={<AdminInputPage />} />
        </Routes>
      </LocalTimeContext>
    </MemoryRouter>,
  );
  const name = screen.getByLabelText('Character name');
  await userEvent.type(name, 'Old Bram');
  await press('Fire Library at 14');
  const spot = (): HTMLElement => screen.getByRole('combobox', { name: 'Spot' });
  await waitFor(() => expect(spot()).toHaveProperty('value', 'Fire Library'));
  expect(isChosen(14)).toBe(true);
  await press('Tomorrow at 9');
  await waitFor(() => expect(isChosen(9)).toBe(true));
  // The same field with its typed text, and both dates.
  expect(screen.getByLabelText('Character name')).toBe(name);
  expect(name).toHaveProperty('value', 'Old Bram');
  expect(dates()).toHaveLength(2);
});
