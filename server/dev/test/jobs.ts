import { forgetEntries, forgetUndos } from '../../activity/retention.ts';
import { archiveOld } from '../../board/archive/move.ts';
import { write } from '../../db/unit-of-work.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import { addJob, type NewJob } from '../../jobs/job-store.ts';
import type { TestApp } from './test-app.ts';

/** Stores a job as a write of the server's does. */
export const later = <P>(
  { ctx }: Pick<TestApp, 'ctx'>,
  kind: JobKind<P>,
  job: NewJob<P>,
): Promise<void> => write(ctx, (unit) => addJob(unit, kind, job));

/** Runs a recurring job as if it were due. @returns its log */
export async function runNow({ ctx }: Pick<TestApp, 'ctx'>, kind: JobKind<null>): Promise<string> {
  if (kind.runs === 'outside') throw new Error(`${kind.kind} runs outside`);
  if (kind.isNeeded && !(await kind.isNeeded(ctx))) return 'not needed';
  const job = { key: '', payload: null, due_at: ctx.now(), attempt: 1 };
  return (await write(ctx, (unit) => kind.run(unit, job))) ?? 'done';
}

/** @returns whether there was something to do */
export const hadWork = async (app: Pick<TestApp, 'ctx'>, kind: JobKind<null>): Promise<boolean> =>
  (await runNow(app, kind)) !== 'not needed';

/** A little of what the settings say is old, of each kind. @returns whether there was any */
export async function tidyUp(app: Pick<TestApp, 'ctx'>): Promise<boolean> {
  let isBusy = false;
  for (const kind of [archiveOld, forgetEntries, forgetUndos])
    isBusy = (await hadWork(app, kind)) || isBusy;
  return isBusy;
}
