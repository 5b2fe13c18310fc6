import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Tx } from './database.ts';

const TAKEN = {
  categories: 'category.nameExists',
  channels: 'destination.exists',
  events: 'event.nameExists',
  respawns: 'respawn.nameExists',
} as const;

/**
 * @param id the row that gets the name, unless it is new
 * @throws DomainError category.nameExists, destination.exists, event.nameExists or respawn.nameExists
 */
export async function assertNameIsFree(
  tx: Tx,
  table: keyof typeof TAKEN,
  { name, id }: { name: string; id?: number },
): Promise<void> {
  const other = await tx
    .selectFrom(table)
    .select(['id', 'name'])
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst();
  if (other && other.id !== id) throw new DomainError(TAKEN[table], { name: other.name });
}
