import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MemberType } from '../../shared/schemas/member-type.ts';
import { applySnapshot, clearBoard, setConnection, useBoard } from '../state/board-store.ts';
import { useSession } from '../state/session-store.ts';
import { aType } from '../test/records.ts';
import { useReadMemberTypes } from './read-member-types.ts';

const ADMIN = { token: 'a-token', username: 'thora', role: 'owner' } as const;
const READ = [aType('elite')];

/** The calls that were made, with the headers that caches heed. */
function answering(adminStatus: number): string[] {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (path: string, { headers }: RequestInit) => {
    const sent = new Headers(headers);
    requests.push(`${path.replace(/=\d+$/, '=<time>')} ${sent.get('cache-control') ?? ''}`.trim());
    const isRefused = path.startsWith('/api/admin') && adminStatus !== 200;
    return isRefused
      ? new Response('Bad Gateway', { status: adminStatus })
      : Response.json({ success: true, data: READ });
  });
  return requests;
}

const known = (): MemberType[] => [...useBoard.getState().byKind.member_type.values()];

beforeEach(() => {
  applySnapshot(1, {});
  setConnection('polling');
});
afterEach(() => {
  vi.unstubAllGlobals();
  useSession.setState({ admin: null });
  clearBoard();
});

it('“GET /admin/member-types (bearer, with a cache-busting timestamp and no-cache headers)” is asked when a page opens', async () => {
  useSession.setState({ admin: ADMIN });
  const requests = answering(200);
  renderHook(useReadMemberTypes);
  await vi.waitFor(() => expect(known()).toEqual(READ));
  expect(requests).toEqual(['/api/admin/member-types?at=<time> no-cache']);
});

it('“the admin form falls back to the public one when it fails”', async () => {
  useSession.setState({ admin: ADMIN });
  const requests = answering(502);
  renderHook(useReadMemberTypes);
  await vi.waitFor(() => expect(known()).toEqual(READ));
  expect(requests).toEqual(['/api/admin/member-types?at=<time> no-cache', '/api/member-types']);
});

it('“… or no token exists”', async () => {
  const requests = answering(200);
  renderHook(useReadMemberTypes);
  await vi.waitFor(() => expect(known()).toEqual(READ));
  expect(requests).toEqual(['/api/member-types']);
});

it('does not replace what a live board has', async () => {
  useSession.setState({ admin: ADMIN });
  setConnection('live');
  const requests = answering(200);
  renderHook(useReadMemberTypes);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve));
  expect(known()).toEqual([]);
});
