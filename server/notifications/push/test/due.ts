import { onTestFinished, vi } from 'vitest';
import type { TestApp } from '../../../dev/test/test-app.ts';
import { jobKindsOf } from '../../../feature.ts';
import { features } from '../../../features.ts';
import { createJobs } from '../../../jobs/runner.ts';

const NEVER_MS = 1_000_000_000;

/** The notices due by now, or later. */
export const waiting = ({ ctx }: Pick<TestApp, 'ctx'>) =>
  ctx.db
    .selectFrom('jobs')
    .select(['key', 'due_at', 'payload', 'leased_until'])
    .where('kind', '=', 'push.send')
    .orderBy('id')
    .execute();

const SENDING = ['push.send', 'direct.send', 'direct.edit'];

/** Lets the time of a server come, and waits until all that is due then has run. */
export function timeOf(app: TestApp): (iso: string) => Promise<void> {
  const jobs = createJobs(app.ctx, jobKindsOf(features), { everyMs: NEVER_MS });
  onTestFinished(jobs.stop);
  return async (iso) => {
    app.setNow(iso);
    await vi.waitUntil(async () => {
      await jobs.runDue();
      const sending = await app.ctx.db
        .selectFrom('jobs')
        .select('due_at')
        .where('kind', 'in', SENDING)
        .execute();
      return sending.every(({ due_at }) => due_at > app.ctx.now().toISOString());
    });
  };
}
