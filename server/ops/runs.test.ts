import { expect, it } from 'vitest';
import { createTestApp } from '../dev/test/test-app.ts';
import { beginRun, type RunKind } from './runs.ts';

const RUNS: RunKind = {
  table: 'backups',
  kept: 2,
  fail: async (tx, ids, end) => {
    await tx.updateTable('backups').set(end).where('id', 'in', ids).execute();
  },
};

it('keeps only the newest runs, also if all fail', async () => {
  const { ctx } = await createTestApp('sqlite');
  for (const file of ['one', 'two', 'three', 'four']) {
    const run = await beginRun(ctx, RUNS, { folder: '', file, occasion: 'by_hand' });
    const failing = run?.(() => Promise.reject(new Error('the disk is full')));
    await expect(failing).rejects.toThrow('the disk is full');
  }
  const kept = await ctx.db.selectFrom('backups').select(['file', 'error']).orderBy('id').execute();
  expect(kept).toEqual([
    { file: 'three', error: 'the disk is full' },
    { file: 'four', error: 'the disk is full' },
  ]);
});
