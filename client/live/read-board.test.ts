import { afterEach, expect, it, vi } from 'vitest';
import { clearBoard, useBoard } from '../store/board-store.ts';
import { readBoard } from './read-board.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  clearBoard();
});

it('keeps the epoch and the clock of what it reads, which are its ETag', async () => {
  const data: Record<string, unknown> = { '/api/categories': [], '/api/member-types': [] };
  const config = { ss_time_zone: 'America/Los_Angeles', ss_hour: 1, server_time: '2026-11-21T18:00:00.000Z' };
  // The network's far end.
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === '/api/respawns') return Response.json([], { headers: { ETag: 'W/"1f0c.5.16-42"' } });
    if (path === '/api/events/active') return Response.json({ code: 'event.noneActive' }, { status: 404 });
    return Response.json(path === '/api/config' ? config : { success: true, data: data[path] });
  });
  expect(await readBoard(null, false, () => false)).toBe('W/"1f0c.5.16-42"');
  expect(useBoard.getState()).toMatchObject({ epoch: '1f0c.5.16', clock: 42, status: 'ready' });
});
