import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { expect } from 'vitest';
import type { Change, Snapshot } from '../../../../shared/live.ts';
import type { AdminRole } from '../../../../shared/rules/roles.ts';
import { Overlays } from '../../../app.tsx';
import {
  applyChanges,
  applySnapshot,
  setConnection,
  useBoard,
} from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { aType } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { ToastHost } from '../../../ui/toast.tsx';
import { AdminPage } from '../admin-page.tsx';

const Address = (): ReactNode => {
  const { pathname, search, state } = useLocation();
  return (
    <>
      <output aria-label="address">{pathname + search}</output>
      <output aria-label="handed on">{JSON.stringify(state)}</output>
    </>
  );
};

let navigateTo: (address: string) => void = () => {};
/** Leads to an address from outside the page, as the browser's Back does. */
export const goTo = (address: string): void => act(() => navigateTo(address));
function Navigation(): null {
  const navigate = useNavigate();
  navigateTo = (address) => void navigate(address);
  return null;
}

/** The dashboard as an admin sees it, with a board that holds these records. */
export function showAdmin(
  address: string,
  snapshot: Snapshot = {},
  role: AdminRole = 'owner',
): void {
  // Drafts of an earlier test go with its sign-in.
  useSession.setState({ admin: null, ended: [] });
  useSession.setState({ status: 'ready', admin: { username: 'Thora', token: 'token', role } });
  applySnapshot(1, {
    access_key: [],
    member_type: [aType('member'), aType('elite'), aType('vice')],
    ...snapshot,
  });
  setConnection('live');
  renderAdmin(address);
}

/** As `showAdmin`, and waits until the tab is loaded. */
export async function openAdmin(
  address: string,
  snapshot: Snapshot = {},
  role: AdminRole = 'owner',
): Promise<void> {
  showAdmin(address, snapshot, role);
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull(), { timeout: 20_000 });
}

/** Presses an action of an event's row: its main button, or the entry of its menu. */
export async function pressAction(name: string): Promise<void> {
  const isOfRow = (more: HTMLElement): boolean =>
    name.includes(more.getAttribute('aria-label')?.replace('More actions for ', '') ?? '');
  const menu = screen.getAllByRole('button', { name: /^More actions for / }).find(isOfRow);
  const button = screen.queryByRole('button', { name });
  if (button || !menu) return userEvent.click(screen.getByRole('button', { name }));
  await userEvent.click(menu);
  return userEvent.click(await screen.findByRole('menuitem', { name }));
}

export function renderAdmin(address: string): void {
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_date, hour) => `${hour}:00`}>
        <Routes>
          <Route path="admin/dashboard" element={<AdminPage />} />
          <Route path="admin/dashboard/:tab" element={<AdminPage />} />
          <Route path="admin/dashboard/settings/:section" element={<AdminPage />} />
          <Route path="admin/dashboard/member/:member" element={<AdminPage />} />
          <Route path="admin/login" element={<p>Login page</p>} />
        </Routes>
        <Overlays />
        <ToastHost />
        <Address />
        <Navigation />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}

export function push(...changes: Change[]): void {
  act(() => {
    applyChanges({ clock: useBoard.getState().clock + 1, changes });
  });
}

/** Chooses one of a character's actions from the menu of its row. @param action its accessible name */
export async function chooseAction(name: string, action: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
}
