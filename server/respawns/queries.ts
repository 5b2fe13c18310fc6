import { sql } from 'kysely';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import { byIds, IDS_A_STATEMENT } from '../db/batches.ts';
import type { Db, Tx } from '../db/open.ts';

export interface RespawnFilter {
  /** Only these. */
  ids?: readonly number[];
  /** Only those that take claims: what members see. */
  enabled?: boolean;
}

/** Where a picture is served: an uploaded or catalogue picture by its name, or a path that is one already. */
export function imageUrl(image: string): string {
  return image.startsWith('/assets/') ? image : `/assets/respawns/${image}`;
}

/** What claims say of the respawn they stand on. */
export type Place = Pick<Respawn, 'id' | 'name' | 'image' | 'image_url' | 'category_id' | 'category_name'>;

/** Respawns by their ids, without the counts: those would be made of all the claims they ever had. */
export async function findPlaces(db: Db | Tx, ids: Iterable<number>): Promise<Map<number, Place>> {
  const rows = await byIds(ids, (some) =>
    db
      .selectFrom('respawns')
      .leftJoin('categories', 'categories.id', 'respawns.category_id')
      .select(['respawns.id', 'respawns.name', 'image', 'category_id', 'categories.name as category_name'])
      .where('respawns.id', 'in', some)
      .execute(),
  );
  return new Map(rows.map((row) => [row.id, { ...row, image_url: imageUrl(row.image) }]));
}

/** Respawns by name, with the counts of all the claims they ever had. */
export async function findRespawns(db: Db | Tx, { ids, enabled }: RespawnFilter = {}): Promise<Respawn[]> {
  if (ids?.length === 0) return [];
  if (ids && ids.length > IDS_A_STATEMENT) {
    const wanted = new Set(ids);
    return (await findRespawns(db, enabled ? { enabled } : {})).filter(({ id }) => wanted.has(id));
  }
  let respawns = db
    .selectFrom('respawns')
    .leftJoin('categories', 'categories.id', 'respawns.category_id')
    .select(['respawns.id', 'respawns.name', 'image', 'category_id', 'categories.name as category_name', 'is_enabled', 'created_at'])
    .orderBy('respawns.name_key');
  let counts = db
    .selectFrom('claim_parts')
    .innerJoin('claims', 'claims.id', 'claim_parts.claim_id')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .select(({ fn }) => [
      'respawn_id',
      fn.count<number>('claims.id').distinct().as('total_claims'),
      // A claim of a single_claim event has no date of its own: it lasts to the event's end.
      sql<string>`max(coalesce(claims.date, substr(events.end_time, 1, 10)))`.as('last_claim_date'),
    ])
    .groupBy('respawn_id');
  if (ids) {
    respawns = respawns.where('respawns.id', 'in', ids);
    counts = counts.where('respawn_id', 'in', ids);
  }
  if (enabled) respawns = respawns.where('is_enabled', '=', 1);
  const counted = new Map((await counts.execute()).map((row) => [row.respawn_id, row]));
  return (await respawns.execute()).map((row) => {
    const count = counted.get(row.id);
    return {
      ...row,
      image_url: imageUrl(row.image),
      total_claims: count?.total_claims ?? 0,
      last_claim_date: count?.last_claim_date ?? null,
    };
  });
}
