import { afterEach, beforeEach, vi } from 'vitest';
import '../../features/admin/claims/claims-tab.tsx';
import type { mockServer } from '../../features/admin/test/server.ts';
import { clearBoard } from '../../state/board-store.ts';
import { aClaim, anEvent, aRespawn } from '../records.ts';
import { done, enter, failed, notDone, open, press } from './admin-steps.ts';
import { appears } from './appears.ts';

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Answers = Parameters<typeof mockServer>[0];
const board = {
  event: [anEvent({ id: 7, is_active: 1 })],
  respawn: [aRespawn()],
  claim: [aClaim({ event_id: 7 })],
};

async function move(answers: Answers): Promise<void> {
  await open('claims', board, answers);
  await press(/^Edit… Arden Vale/);
  enter('Start (SS+)', '2');
  enter('End (SS+)', '6');
  await press('Save changes');
}
async function remove(answers: Answers): Promise<void> {
  await open('claims', board, answers);
  await press(/^Delete claim of Arden/, 'Delete claim');
}
async function clear(answers: Answers): Promise<void> {
  await open('claims', board, answers);
  await press(/^Clear All .* of Asura Palace$/, 'Clear 1 claim');
}
const PUT = 'PUT /api/claims/admin/1';
const DELETE = 'DELETE /api/admin/claims/1';
const CLEAR = 'DELETE /api/claims/admin/respawn/1';

appears('claims', {
  'admin.claims.updated': () => move({ [PUT]: done(aClaim()) }),
  'admin.claims.updateError': () =>
    move({ [PUT]: () => Promise.reject(new TypeError('no network')) }),
  'admin.claims.updateFailed': () => move({ [PUT]: notDone(404, 'claim.notFound') }),
  'admin.claims.deleted': () => remove({ [DELETE]: done() }),
  'admin.claims.deleteFailed': () => remove({ [DELETE]: notDone(404, 'claim.notFound') }),
  'admin.claims.cleared': () => clear({ [CLEAR]: done({ deletedCount: 1 }) }),
  'admin.claims.clearFailed': () => clear({ [CLEAR]: failed }),
});
