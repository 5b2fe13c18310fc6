import { inTime } from '../db/in-time.ts';
import { measure } from '../ops/measure.ts';
import type { JobContext } from './kind.ts';
import { countDue } from './stored.ts';

/** How long /metrics waits for the count, in milliseconds: while the database is away, it tells the last one. */
const COUNT_WITHIN_MS = 500;

/** How many jobs wait although they are due; of kinds that this server does not know, together. */
export function measureJobs({ metrics, db, now }: JobContext, known: { has: (kind: string) => boolean }): void {
  const help = 'Jobs that are due and have not been run, by kind';
  measure(metrics, { name: 'claimboard_jobs_due', help, labelNames: ['kind'] }, async (gauge) => {
    const count = async (): Promise<void> => {
      const counted = await countDue(db, now());
      gauge.reset();
      for (const { kind, n } of counted) gauge.inc({ kind: known.has(kind) ? kind : 'unknown' }, n);
    };
    await inTime(COUNT_WITHIN_MS, count()).catch(() => false);
  });
}
