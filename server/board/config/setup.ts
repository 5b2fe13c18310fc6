import { SETUP_STEPS, type Setup, type SetupChange } from '../../../shared/schemas/setup.ts';
import { authorizeAgain } from '../../auth/authenticate.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { parseSetup, type StoredSetup } from '../records/stored-setup.ts';

async function readStored(db: Db | Tx): Promise<StoredSetup> {
  return parseSetup(
    (await db.selectFrom('config').select('setup').executeTakeFirstOrThrow()).setup,
  );
}

export async function readSetup(db: Db | Tx): Promise<Setup> {
  const { skipped, is_dismissed } = await readStored(db);
  return { skipped: SETUP_STEPS.filter((step) => skipped.includes(step)), is_dismissed };
}

export const isDemo = async (db: Db | Tx): Promise<boolean> => (await readStored(db)).is_demo;

/** Marks the guild as an invented one. It plays already: its dashboard needs no checklist. */
export const markDemo = (tx: Tx): Promise<void> =>
  store(tx, { skipped: [], is_dismissed: true, is_demo: true });

async function store(tx: Tx, setup: StoredSetup): Promise<void> {
  await tx
    .updateTable('config')
    .set({ setup: JSON.stringify(setup) })
    .execute();
}

/** Stores an admin's skips, resumed steps or dismissal. No watcher sees them, so the clock does not advance. */
export function changeSetup(
  ctx: Writing,
  admin: Admin,
  { skip = [], resume = [], is_dismissed }: SetupChange,
): Promise<Setup> {
  return ctx.writes.transaction(async (tx) => {
    await authorizeAgain(tx, admin, { capability: 'guild', now: ctx.now() });
    const { is_demo } = await readStored(tx);
    const before = await readSetup(tx);
    const skipped = SETUP_STEPS.filter(
      (step) => !resume.includes(step) && (skip.includes(step) || before.skipped.includes(step)),
    );
    const after = { skipped, is_dismissed: is_dismissed ?? before.is_dismissed };
    await store(tx, { ...after, is_demo });
    return after;
  });
}
