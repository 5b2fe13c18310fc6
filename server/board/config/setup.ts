import { z } from 'zod';
import { SETUP_STEPS, type Setup, type SetupChange } from '../../../shared/schemas/setup.ts';
import { authorizeAgain } from '../../auth/authenticate.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';

/** Steps of another version are skipped. */
const stored = z.object({ skipped: z.array(z.string()), is_dismissed: z.boolean() });

export async function readSetup(db: Db | Tx): Promise<Setup> {
  const row = await db.selectFrom('config').select('setup').executeTakeFirstOrThrow();
  const { skipped, is_dismissed } = stored.parse(JSON.parse(row.setup));
  return { skipped: SETUP_STEPS.filter((step) => skipped.includes(step)), is_dismissed };
}

export async function storeSetup(tx: Tx, setup: Setup): Promise<void> {
  await tx
    .updateTable('config')
    .set({ setup: JSON.stringify(setup) })
    .execute();
}

/** Stores an admin's skips, resumed steps or dismissal. No watcher sees them, so the clock does not advance. */
export function changeSetup(ctx: Writer, admin: Admin, { skip = [], resume = [], is_dismissed }: SetupChange): Promise<Setup> {
  return ctx.writes.transaction(async (tx) => {
    await authorizeAgain(tx, admin, 'guild', ctx.now());
    const before = await readSetup(tx);
    const skipped = SETUP_STEPS.filter((step) => !resume.includes(step) && (skip.includes(step) || before.skipped.includes(step)));
    const after = { skipped, is_dismissed: is_dismissed ?? before.is_dismissed };
    await storeSetup(tx, after);
    return after;
  });
}
