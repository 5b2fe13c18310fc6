import Gauge from 'prom-client/lib/gauge.js';
import { inTime } from '../db/in-time.ts';
import type { JobContext } from './kind.ts';
import { countDue } from './stored.ts';

/** How long /metrics waits for the count, in milliseconds: while the database is away, it tells the last one. */
const COUNT_WITHIN_MS = 500;

/** How many jobs wait although they are due; of kinds that this server does not know, together. */
export function measureJobs({ metrics, db, now }: JobContext, known: { has: (kind: string) => boolean }): void {
  const name = 'claimboard_jobs_due';
  metrics.registry.removeSingleMetric(name);
  metrics.registry.registerMetric(
    new Gauge({
      name,
      help: 'Jobs that are due and have not been run, by kind',
      labelNames: ['kind'],
      registers: [],
      async collect() {
        const count = async (): Promise<void> => {
          const counted = await countDue(db, now());
          this.reset();
          for (const { kind, n } of counted) this.inc({ kind: known.has(kind) ? kind : 'unknown' }, n);
        };
        await inTime(COUNT_WITHIN_MS, count()).catch(() => false);
      },
    }),
  );
}
