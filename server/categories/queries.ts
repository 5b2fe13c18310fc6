import type { Category } from '../../shared/schemas/category.ts';
import type { Db, Tx } from '../db/open.ts';

/** All categories, by name. */
export function allCategories(db: Db | Tx): Promise<Category[]> {
  return db.selectFrom('categories').select(['id', 'name']).orderBy('name_key').execute();
}
