import { type RenderResult, render } from '@testing-library/react';
import { MemoryRouter, parsePath, Route, Routes, useLocation } from 'react-router-dom';
import type { Snapshot } from '../../../../shared/live.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/settings.ts';
import { type KeptClaimant, keptRequestIn } from '../../../lib/claim-request.ts';
import { applySnapshot } from '../../../state/board-store.ts';
import { setServerSaveClock } from '../../../state/clock.ts';
import { useSession } from '../../../state/session-store.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { dropKeptForm } from '../kept-form.ts';
import { AdminInputPage, SubmitPage } from '../submit-page.tsx';
import { memberTypeOf, respawnOf } from './records.ts';

export const TODAY = '2026-11-21';
export const profile = {
  characterName: 'Riley Ashdown',
  memberType: 'member',
  accessKey: 'K7QM-2F9A-XW3C',
  isVerified: true,
  createdAt: '',
};

export const config = {
  ...DEFAULT_SETTINGS,
  board_visibility: 'members',
  ss_time_zone: 'UTC',
  ss_hour: 0,
  voucher_duration_hours: 4,
  horizon_days: 60,
  character_check: 'tibiadata',
  guild_name: null,
  has_discord_app: 0,
  has_discord_sign_in: 0,
  notifications_paused: 0,
  is_demo: 0,
} as const;

/** A board with three spots, and Riley signed in; hours at UTC, and TODAY has just started: no hour has passed. */
export function signIn(snapshot: Snapshot = {}, memberType = 'member'): void {
  const current = { ...profile, memberType };
  useSession.setState({ status: 'ready', current, profiles: [current], admin: null, ended: [] });
  showBoard(snapshot);
}

export function signInAsAdmin(snapshot: Snapshot = {}): void {
  useSession.setState({
    status: 'ready',
    current: null,
    profiles: [],
    admin: { username: 'Thora', token: 'T', role: 'owner' },
    ended: [],
  });
  showBoard(snapshot);
}

function showBoard(snapshot: Snapshot): void {
  dropKeptForm();
  setServerSaveClock({ ...config, server_time: `${TODAY}T00:30:00.000Z` });
  applySnapshot(1, {
    respawn: [
      respawnOf({}),
      respawnOf({ id: 2, name: 'Fire Library', category_name: 'Soul War', category_id: 3 }),
      respawnOf({ id: 3, name: 'Ice Library', category_name: 'Soul War', category_id: 3 }),
    ],
    member_type: [
      memberTypeOf({}),
      memberTypeOf({ member_type: 'elite' }),
      memberTypeOf({ member_type: 'vice', allow_secondary_claims: 0 }),
    ],
    config: [config],
    ...snapshot,
  });
}

function Elsewhere() {
  const { pathname, search, state } = useLocation();
  return (
    <>
      <p>at {pathname + search}</p>
      <p>for {keptRequestIn(state)}</p>
    </>
  );
}

/** The server's clock, by which hours pass. */
export const setServerTime = (time: string): void =>
  setServerSaveClock({ ...config, server_time: `${TODAY}T${time}:00.000Z` });

export const showSubmitPage = (query = ''): RenderResult => show(`/input${query}`);
export const showAdminInput = (
  query = '',
  state: Partial<KeptClaimant> | null = null,
): RenderResult => show(`/admin/input${query}`, state);

function show(address: string, state: Partial<KeptClaimant> | null = null): RenderResult {
  return render(
    <MemoryRouter initialEntries={[{ ...parsePath(address), state }]}>
      <LocalTimeContext value={(_date, hour) => `${String(hour % 24).padStart(2, '0')}:00`}>
        <Routes>
          <Route path="/input" element={<SubmitPage />} />
          <Route path="/admin/input" element={<AdminInputPage />} />
          <Route path="*" element={<Elsewhere />} />
        </Routes>
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
