import { act, cleanup, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { vi } from 'vitest';
import type { Change, Snapshot } from '../../../../shared/live.ts';
import type { Ending } from '../../../../shared/schemas/ending.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import {
  applyChanges,
  applySnapshot,
  clearBoard,
  setConnection,
  useBoard,
} from '../../../state/board-store.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import type { Profile } from '../../../state/saved-sessions.ts';
import { useSession } from '../../../state/session-store.ts';
import { aConfig, aSpot } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { ToastHost } from '../../../ui/toast.tsx';
// Load the lazy modules before the first test's timeout starts.
import '../../claiming/waitlist/leave-dialog.tsx';
import '../../claiming/own/own-call.tsx';
import '../../claiming/own/own-claim-menu.tsx';
import '../../claiming/release-dialog.tsx';
import { Overlays } from '../../../app.tsx';
import { MyClaimsPage } from '../my-claims-page.tsx';

const profile = (characterName: string, accessKey: string): Profile => ({
  characterName,
  memberType: 'member',
  accessKey,
  isVerified: true,
  createdAt: '',
});
export const arden = profile('Arden Vale', 'ARDENS-KEY');
export const mira = profile('Mira Stormcrow', 'MIRAS-KEY');

/** 21:30 UTC, which is SS+12 of 21 November. */
export const NOW = '2026-11-21T21:30:00Z';

const clockTime = (_date: string, hour: number, _since?: number): string => `${hour}:00`;
/** A test of the viewer's own time replaces it. */
export const localTimes = { of: clockTime };

export function startMine(): void {
  vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date'] });
  useServerSaveClock.setState({ ss_time_zone: 'UTC', ss_hour: 9, ahead_ms: 0 });
  signIn(arden);
}

export function endMine(): void {
  cleanup();
  localTimes.of = clockTime;
  vi.useRealTimers();
  vi.unstubAllGlobals();
  clearBoard();
  useServerSaveClock.setState({ ss_time_zone: 'America/Los_Angeles', ss_hour: 1, ahead_ms: 0 });
  useSession.setState({ status: 'checking', profiles: [], current: null, admin: null });
}

export const signIn = (...profiles: Profile[]): void =>
  useSession.setState({ status: 'ready', profiles, current: profiles[0] ?? null });

export interface Sent {
  call: string;
  key: string | null;
  body: unknown;
}
interface Past {
  endings: Ending[];
  waits: Wait[];
}
type Answer = (sent: Sent) => Response | Promise<Response>;

export const ok = (data: unknown = null): Response => Response.json({ success: true, data });
export const refused = (status: number, code: string): Response =>
  Response.json({ error: code, code, params: {} }, { status });

/** The network's far end: what became of each key's claims, and answers by method and path. */
export function mockServer(
  past: (key: string | null) => Past | Response,
  answers: { [call: string]: Answer } = {},
): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
    const key = new Headers(options.headers).get('X-Access-Key');
    if (path.startsWith('/api/endings/mine?days=30&')) {
      sent.push({ call: 'GET endings', key, body: undefined });
      const answer = past(key);
      return answer instanceof Response ? answer : ok(answer);
    }
    const call = `${options.method} ${path}`;
    const body: unknown = typeof options.body === 'string' ? JSON.parse(options.body) : undefined;
    const made = { call, key, body };
    sent.push(made);
    const answer = answers[call];
    if (!answer) throw new Error(`Nothing answers ${call}`);
    return answer(made);
  });
  return sent;
}
export const NOTHING: Past = { endings: [], waits: [] };

const spots = [aSpot(1, 'Fire Library'), aSpot(2, 'Sea Serpents South')];

/** The page as a member sees it, with a board that holds these records. */
export async function showMine(
  snapshot: Snapshot = {},
  settings: Parameters<typeof aConfig>[0] = {},
  address = '/mine',
): Promise<void> {
  applySnapshot(1, {
    respawn: spots,
    config: [aConfig({ ss_time_zone: 'UTC', ss_hour: 9, ...settings })],
    ...snapshot,
  });
  setConnection('live');
  await act(async () => {
    render(
      <MemoryRouter initialEntries={[address]}>
        <LocalTimeContext value={localTimes.of}>
          <MyClaimsPage />
          <Overlays />
          <ToastHost />
        </LocalTimeContext>
      </MemoryRouter>,
    );
  });
}

export function push(...changes: Change[]): void {
  act(() => {
    applyChanges({ clock: useBoard.getState().clock + 1, changes });
  });
}
