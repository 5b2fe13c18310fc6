import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { byIds, IDS_A_STATEMENT } from '../../db/batches.ts';
import type { Db, Tx } from '../../db/open.ts';

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

/** Respawns by their ids, as far as claims name them. */
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

/** The columns that make a respawn's record, beside its category's name. */
export const RESPAWN_COLUMNS = [
  'respawns.id',
  'respawns.name',
  'image',
  'category_id',
  'is_enabled',
  'total_claims',
  'last_claim_date',
  'created_at',
] as const;

/** Respawns by name. */
export async function findRespawns(db: Db | Tx, { ids, enabled }: RespawnFilter = {}): Promise<Respawn[]> {
  if (ids?.length === 0) return [];
  if (ids && ids.length > IDS_A_STATEMENT) {
    const wanted = new Set(ids);
    return (await findRespawns(db, enabled ? { enabled } : {})).filter(({ id }) => wanted.has(id));
  }
  let respawns = db
    .selectFrom('respawns')
    .leftJoin('categories', 'categories.id', 'respawns.category_id')
    .select([...RESPAWN_COLUMNS, 'categories.name as category_name'])
    .orderBy('respawns.name_key');
  if (ids) respawns = respawns.where('respawns.id', 'in', ids);
  if (enabled) respawns = respawns.where('is_enabled', '=', 1);
  return (await respawns.execute()).map((row) => ({ ...row, image_url: imageUrl(row.image) }));
}
