import { sql } from 'kysely';
import type { Tx } from '../../db/open.ts';

/** Keeps how many stand in line, which every write reads with the clock. @param n how many came; fewer than none: went */
export async function moveOpenWaits(tx: Tx, n: number): Promise<void> {
  await tx
    .updateTable('clock')
    .set({ open_waits: sql<number>`open_waits + ${n}` })
    .execute();
}
