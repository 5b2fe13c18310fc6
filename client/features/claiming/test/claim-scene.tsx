import { act, fireEvent, render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { vi } from 'vitest';
import type { Snapshot } from '../../../../shared/live.ts';
import type { Claim, ClaimRow } from '../../../../shared/schemas/claim.ts';
import { Overlays } from '../../../app.tsx';
import { keptClaimantIn, keptRequestIn } from '../../../lib/claim-request.ts';
import { applyChanges, applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { closeOverlay } from '../../../state/overlays.ts';
import { clearPresence } from '../../../state/presence-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import {
  aCategory,
  aClaim,
  aClaimRow,
  aConfig,
  anActiveEvent,
  aSpot,
  aType,
  aWait,
} from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { ToastHost } from '../../../ui/toast.tsx';
import { TooltipHost } from '../../../ui/tooltip.tsx';
import { Board } from '../../board/board.tsx';
import { discardDraft } from '../in-place/choose-hours.ts';
// Fetched when hours are first chosen: how long a busy machine takes for it is in no test.
import '../in-place/claim-in-place.tsx';
import '../waitlist/join-waitlist.tsx';
import '../../board/timeline/timeline.tsx';

export const TODAY = '2026-11-21';
export const arden = {
  characterName: 'Arden Vale',
  memberType: 'member',
  accessKey: 'K',
  isVerified: true,
  createdAt: '',
};
export const riley = {
  characterName: 'Riley Ashdown',
  memberType: 'elite',
  accessKey: 'R',
  isVerified: true,
  createdAt: '',
};

interface Server {
  /** The requests it received. */
  posted: { body: unknown; key: string | null }[];
  /** Its answer to a claim. */
  answer: () => Response | Promise<Response>;
  /** The claims it returns for a spot beyond the board, and for the character. */
  elsewhere: Claim[];
  held: unknown[];
  /** Releases with their bodies and credentials. */
  released: { path: string; body: unknown; key: string | null }[];
  /** Waitlist requests with their credentials, and the answers to give. */
  waits: { method: string; path: string; body: unknown; key: string | null }[];
  waitAnswer: () => Response | Promise<Response>;
}
const nothingYet = (): Server => ({
  posted: [],
  answer: () => ok([stored()], 201),
  elsewhere: [],
  held: [],
  released: [],
  waits: [],
  waitAnswer: () => ok(aWait(), 201),
});
export const server: Server = nothingYet();
export const ok = (data: unknown, status = 200): Response =>
  new Response(JSON.stringify({ success: true, data }), { status });
export const refused = (status: number, code: string, params = {}): Response =>
  new Response(JSON.stringify({ error: code, code, params }), { status });

// 21:30 UTC is 13:30 Pacific: SS+12 is running. Each hour of a strip or row is 40 px wide, behind a name of 200 px in a row.
const HOUR = 40;
const NAME = 200;

/** Arden looks at the board in the middle of the day; the server answers as `server` says. Before each test. */
export function setUpScene(): void {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockImplementation(function width(
    this: HTMLElement,
  ) {
    return this.getAttribute('role') === 'rowheader' ? NAME : 0;
  });
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function box(
    this: Element,
  ) {
    const isRow = this.getAttribute('role') === 'row';
    return new DOMRect(0, 100, 24 * HOUR + (isRow ? NAME : 0), 44);
  });
  useSession.setState({ status: 'ready', current: arden, profiles: [arden], admin: null });
  Object.assign(server, nothingYet());
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.includes('/claims/check-character-claims/'))
      return ok({ hasClaimsForDate: server.held.length > 0, claimsForDate: server.held });
    if (/\/respawns\/\d+\/claims\//.test(url))
      return ok(server.elsewhere.map((claim) => aClaimRow(claim)));
    if (url === '/api/claims') {
      server.posted.push({
        body: JSON.parse(String(init.body)),
        key: new Headers(init.headers).get('Idempotency-Key'),
      });
      return server.answer();
    }
    if (url.startsWith('/api/waits')) {
      const body: unknown = init.body === undefined ? null : JSON.parse(String(init.body));
      server.waits.push({
        method: init.method ?? 'GET',
        path: url.slice(4),
        body,
        key: new Headers(init.headers).get('X-Access-Key'),
      });
      return server.waitAnswer();
    }
    if (url.endsWith('/release')) {
      const key = new Headers(init.headers).get('X-Access-Key');
      server.released.push({ path: url.slice(4), body: JSON.parse(String(init.body)), key });
      return ok([]);
    }
    if (init.method === 'DELETE') return ok(null);
    throw new TypeError(`nothing answers ${url}`);
  });
}

/** After each test. */
export function resetScene(): void {
  act(discardDraft);
  act(() => closeOverlay('joinWaitlist'));
  dismissToasts();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  clearBoard();
  clearPresence();
}

export const stored = (change: Partial<ClaimRow> = {}): ClaimRow =>
  aClaimRow({
    id: 50,
    respawn_id: 1,
    respawn_name: 'Fire Library',
    character_name: 'Arden Vale',
    hour_start: 16,
    hour_end: 19,
    ...change,
  });

export const taken = aClaim({
  id: 1,
  respawn_id: 1,
  character_name: 'Mira Stormcrow',
  hour_start: 19,
  hour_end: 22,
});
const snapshot = {
  respawn: [aSpot(1, 'Fire Library', 10), aSpot(2, 'Cobra Bastion', 10)],
  category: [aCategory(10, 'Ankrahmun')],
  claim: [taken],
  event: [anActiveEvent()],
  member_type: [aType('member'), aType('elite', { voucher_duration_hours: 2 })],
  config: [aConfig()],
};

function Elsewhere(): ReactNode {
  const { pathname, search, state } = useLocation();
  return (
    <>
      <p data-testid="address">{pathname + search}</p>
      <p data-testid="asked">{keptRequestIn(state)}</p>
      <p data-testid="claimant">{JSON.stringify(keptClaimantIn(state))}</p>
    </>
  );
}
export const address = (): string | null => screen.getByTestId('address').textContent;

export async function show(path = '/?view=timeline', change: Snapshot = {}): Promise<void> {
  applySnapshot(1, { ...snapshot, ...change });
  render(
    <MemoryRouter initialEntries={[path]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Routes>
          <Route path="/" element={<Board />} />
          <Route path="*" element={<Elsewhere />} />
        </Routes>
        <Overlays />
        <ToastHost />
        <TooltipHost />
      </LocalTimeContext>
    </MemoryRouter>,
  );
  if (path.includes('timeline')) await screen.findByRole('grid');
}

const row = (spot = 'Fire Library'): HTMLElement => {
  const found = screen.getByRole('rowheader', { name: spot }).closest<HTMLElement>('[role="row"]');
  if (!found) throw new Error(`${spot} has no row`);
  return found;
};
export const freeHour = (hour: number, spot = 'Fire Library'): HTMLElement =>
  within(row(spot)).getByRole('link', { name: new RegExp(`^Claim ${spot} from SS\\+${hour},`) });
export const strip = (): HTMLElement => screen.getByRole('button', { name: /Use the arrow keys/ });
export const mouse = {
  pointerId: 1,
  pointerType: 'mouse',
  isPrimary: true,
  button: 0,
  buttons: 1,
} as const;
export const middleOf = (hour: number, before = NAME): number => before + (hour + 0.5) * HOUR;

export async function drag(
  from: number,
  to: number,
  { on = freeHour(from), before = NAME } = {},
): Promise<void> {
  fireEvent.pointerDown(on, { ...mouse, clientX: middleOf(from, before) });
  await act(
    async () => void fireEvent.pointerMove(document, { ...mouse, clientX: middleOf(to, before) }),
  );
}
export const releasePointer = (): boolean => fireEvent.pointerUp(document, mouse);
export const popover = (): Promise<HTMLElement> =>
  screen.findByRole('dialog', { name: 'Claim Fire Library' });
export const claimButton = (hours: number): Promise<HTMLElement> =>
  screen.findByRole('button', { name: `Claim ${hours} h` });
export const claimArrives = (change: Partial<Claim>, clock = 2): void =>
  act(
    () =>
      void applyChanges({
        clock,
        changes: [{ op: 'put', kind: 'claim', record: aClaim({ id: 9, ...change }) }],
      }),
  );
