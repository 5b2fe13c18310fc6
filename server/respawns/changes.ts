import { type ExpressionBuilder, sql } from 'kysely';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import { byIds } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import type { Database } from '../db/schema.ts';
import type { ChangeRecorder } from '../db/write.ts';
import { MANY_CHANGES } from '../live/many-changes.ts';
import { imageUrl, RESPAWN_COLUMNS } from './queries.ts';

/** Shows respawns as they are now: to members only those that take claims. Of many, everyone loads the board anew. */
export function putRespawns(changes: ChangeRecorder, respawns: readonly Respawn[]): void {
  if (respawns.length > MANY_CHANGES) {
    changes.reset();
    return;
  }
  for (const record of respawns) {
    if (record.is_enabled) {
      changes.put({ kind: 'respawn', record });
    } else {
      changes.put({ kind: 'respawn', record }, 'admins');
      changes.remove('respawn', record.id, 'members');
    }
  }
}

type OfRespawn = ExpressionBuilder<Database, 'respawns'>;

/** The end of an index, however many claims a respawn ever had. */
const lastClaimDate = (of: OfRespawn) =>
  of
    .selectFrom('claim_parts')
    .select('last_date')
    .whereRef('claim_parts.respawn_id', '=', 'respawns.id')
    .orderBy('last_date', 'desc')
    .limit(1);

const categoryName = (of: OfRespawn) =>
  of.selectFrom('categories').select('categories.name').whereRef('categories.id', '=', 'respawns.category_id');

/**
 * Keeps the counts of respawns, once the rows of the claims that came or went are written.
 * @param claims how many came to each of them; fewer than none: went
 * @returns the respawns as they are now
 */
export async function moveRespawnCounts(tx: Tx, claims: ReadonlyMap<number, number>): Promise<Respawn[]> {
  const moved: Respawn[] = [];
  // Mostly one number for all.
  for (const [n, ids] of Map.groupBy(claims.keys(), (id) => claims.get(id) ?? 0)) {
    const rows = await byIds(ids, (some) =>
      tx
        .updateTable('respawns')
        .set((of) => ({ total_claims: sql<number>`total_claims + ${n}`, last_claim_date: lastClaimDate(of) }))
        .where('id', 'in', some)
        .returning((of) => [...RESPAWN_COLUMNS, categoryName(of).as('category_name')])
        .execute(),
    );
    for (const row of rows) moved.push({ ...row, image_url: imageUrl(row.image) });
  }
  return moved;
}

/** Keeps when spots were last claimed, where the claims of an event end on another date. */
export async function keepLastClaimDates(tx: Tx, event_id: number): Promise<void> {
  await tx
    .updateTable('respawns')
    .set((of) => ({ last_claim_date: lastClaimDate(of) }))
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('claim_parts')
        .innerJoin('claims', 'claims.id', 'claim_parts.claim_id')
        .select('claim_parts.respawn_id')
        .where('claims.event_id', '=', event_id),
    )
    .execute();
}
