import { nameKey } from '../../../shared/rules/names.ts';
import { type Category, category } from '../../../shared/schemas/category.ts';
import type { Db, Tx } from '../../db/database.ts';
import { byName, recordSource } from '../../live/record-kinds.ts';

/** All categories, by name. */
export function allCategories(db: Db | Tx): Promise<Category[]> {
  return db.selectFrom('categories').select(['id', 'name']).orderBy('name_key').execute();
}

export async function findCategory(db: Db | Tx, id: number): Promise<Category | null> {
  return (await db.selectFrom('categories').select(['id', 'name']).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The category of this name; case does not count (R1.1). */
export async function categoryNamed(db: Db | Tx, name: string): Promise<Category | null> {
  return (await db.selectFrom('categories').select(['id', 'name']).where('name_key', '=', nameKey(name)).executeTakeFirst()) ?? null;
}

export const categoryRecords = recordSource('category', {
  schema: category,
  read: ({ tx }) => allCategories(tx),
  order: (one, other) => byName(one.name, other.name) || one.id - other.id,
});
