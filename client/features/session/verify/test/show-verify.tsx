import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { onTestFinished, vi } from 'vitest';
import { keptRequestIn } from '../../../../lib/claim-request.ts';
import { readCookies, removeCookie } from '../../../../lib/cookies.ts';
import { clearBoard } from '../../../../state/board-store.ts';
import { useServerSaveClock } from '../../../../state/clock.ts';
import {
  type PendingVerification,
  rememberVerification,
} from '../../../../state/pending-verifications.ts';
import type { Profile } from '../../../../state/saved-sessions.ts';
import { logoutAll, useSession } from '../../../../state/session-store.ts';
import { expireByFakeClock } from '../../../../test/cookie-expiry.ts';
import { VerifyPage } from '../verify-page.tsx';
import { bare, FakeServer, ok } from './fake-server.ts';

const NOW = '2026-11-21T12:00:00.000Z';
export const NAME = 'Riley Ashdown';
export const CODE = 'CLAIM-7KQ2M9XA';
export const KEY = 'K7QM-2F9A-XW3C';
export const TOKEN = 'token-of-this-browser';
export const CHECK = 'POST /check-verification';
export const GENERATE = 'POST /generate-verification-code';

const config = { character_check: 'tibiadata', guild_name: null };

/** A browser that holds nothing at noon, timers by hand, and a server that gives out codes and finds none. */
export function startAtNoon(
  settings: Partial<Record<keyof typeof config, string>> = {},
): FakeServer {
  vi.useFakeTimers({ now: new Date(NOW) });
  expireByFakeClock();
  for (const name of readCookies().keys()) removeCookie(name);
  sessionStorage.clear();
  localStorage.clear();
  clearBoard();
  useServerSaveClock.setState({ ahead_ms: 0 });
  useSession.setState({ status: 'ready', profiles: [], current: null, admin: null, ended: [] });
  onTestFinished(() => {
    cleanup();
    logoutAll();
    vi.restoreAllMocks();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return new FakeServer()
    .on('GET /config', bare({ ...config, ...settings }))
    .on(
      `GET /check-character-verification/${encodeURIComponent(NAME)}`,
      bare({ isVerified: false }),
    )
    .on(
      GENERATE,
      ok(
        {
          code: CODE,
          expiresAt: '2026-11-22T12:00:00.000Z',
          instructions: '',
          verification_token: TOKEN,
        },
        201,
      ),
    )
    .on(CHECK, pending());
}

export const pending = (change: object = {}) =>
  ok({
    verified: false,
    characterName: NAME,
    reason: 'verification.codeNotFound',
    checkedAt: null,
    nextCheckAt: null,
    ...change,
  });
export const found = ok({
  verified: true,
  characterName: NAME,
  memberType: 'elite',
  accessKey: KEY,
});

export function keep(change: Partial<PendingVerification> = {}): PendingVerification {
  const kept = {
    characterName: NAME,
    code: CODE,
    expiresAt: '2026-11-22T12:00:00.000Z',
    verification_token: TOKEN,
    ...change,
  };
  rememberVerification(kept);
  return kept;
}

export const profileOf = (characterName: string): Profile => ({
  characterName,
  memberType: 'member',
  accessKey: `KEY-OF-${characterName}`,
  isVerified: true,
  createdAt: NOW,
});

function Address() {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <button type="button" onClick={() => void navigate(-1)}>
        Back
      </button>
      <output aria-label="address">{pathname + search}</output>
      <output aria-label="handed on">{keptRequestIn(state)}</output>
    </>
  );
}

/** The page at an address that the board led to, after its settings have arrived. */
export async function show(pathname: string, state?: unknown): Promise<void> {
  render(
    <MemoryRouter initialEntries={['/', { pathname, state }]}>
      <Routes>
        <Route path="/verify" element={<VerifyPage />} />
        <Route path="/verify/:characterName" element={<VerifyPage />} />
        <Route path="*" element={null} />
      </Routes>
      <Address />
    </MemoryRouter>,
  );
  await pass(0);
}

export async function pass(ms: number): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(ms));
  // Rendered components may start a query, which reports its answer in a timer.
  await act(() => vi.advanceTimersByTimeAsync(0));
}

export async function press(name: string | RegExp): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }));
  await pass(0);
}
export const nameField = (): HTMLElement => screen.getByLabelText('Character name');
export function type(name: string): void {
  fireEvent.change(nameField(), { target: { value: name } });
}
export const address = (): string =>
  decodeURIComponent(screen.getByLabelText('address').textContent ?? '');
export const handedOn = (): string | null => screen.getByLabelText('handed on').textContent;
export const alertText = (): string | null => screen.getByRole('alert').textContent;
export const has = (text: string | RegExp): boolean => screen.queryByText(text) !== null;
