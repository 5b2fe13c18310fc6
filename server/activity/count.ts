import type { Db } from '../db/open.ts';
import type { Env } from '../env.ts';
import type { ChangeBus } from '../live/bus.ts';
import { IS_KNOWN } from './known.ts';

/** How many entries the log has. */
export type CountActivity = () => Promise<number>;

interface Counting {
  env: Pick<Env, 'ACTIVITY_KEPT_DAYS'>;
  aside: Db;
  bus: Pick<ChangeBus, 'epoch'>;
}

/** Where entries are kept for ever, they are only added, with rising ids: those that were counted before are not counted again. */
export function createActivityCount({ env, aside, bus }: Counting): CountActivity {
  let counted: { epoch: string; total: number; last_id: number } | null = null;
  return async () => {
    const { epoch } = bus;
    const before = counted?.epoch === epoch && env.ACTIVITY_KEPT_DAYS === 0 ? counted : { total: 0, last_id: 0 };
    const { n, last_id } = await aside
      .selectFrom('activity')
      .select(({ fn }) => [fn.countAll<number>().as('n'), fn.max('id').as('last_id')])
      .where('id', '>', before.last_id)
      .where(IS_KNOWN)
      .executeTakeFirstOrThrow();
    const total = before.total + n;
    counted = { epoch, total, last_id: last_id ?? before.last_id };
    return total;
  };
}
