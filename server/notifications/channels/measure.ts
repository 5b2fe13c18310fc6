import { inTime } from '../../db/in-time.ts';
import type { Db } from '../../db/open.ts';
import type { JobContext } from '../../jobs/kind.ts';
import { measure } from '../../ops/measure.ts';
import { oldestWaiting } from './waiting.ts';

/** How long /metrics waits for it, in milliseconds: while the database is away, it tells the last one. */
const MEASURED_WITHIN_MS = 500;

/** How long the oldest message to any destination waits by now, in seconds; 0: none does. */
async function waitsFor(db: Db, now: Date): Promise<number> {
  const destinations = await db
    .selectFrom('destinations')
    .select(['events', 'heard_after', 'kind', 'place'])
    .where((where) => where('is_enabled', '=', where.lit(1)))
    .execute();
  const oldest: number[] = [];
  for (const destination of destinations) {
    const at = await oldestWaiting(db, destination);
    if (at !== null) oldest.push(Date.parse(at));
  }
  return oldest.length === 0 ? 0 : Math.max(0, (now.getTime() - Math.min(...oldest)) / 1_000);
}

/** Tells at /metrics how long the oldest message waits. */
export function measureWaiting({ metrics, db, now }: Pick<JobContext, 'metrics' | 'db' | 'now'>): void {
  const help = 'How long the oldest message to any destination waits to be delivered';
  measure(metrics, { name: 'claimboard_oldest_waiting_seconds', help }, async (gauge) => {
    const told = waitsFor(db, now()).then((seconds) => gauge.set(seconds));
    await inTime(MEASURED_WITHIN_MS, told).catch(() => false);
  });
}
