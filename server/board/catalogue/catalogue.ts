import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { nameKey } from '../../../shared/rules/names.ts';
import { DEFAULT_CATEGORY_ID } from '../../../shared/schemas/category.ts';
import type { Tx } from '../../db/open.ts';

/** The spots and their pictures that come with the project. */
export const CATALOGUE_DIR = path.resolve(import.meta.dirname, '../../../data/catalogue');

const spot = z.object({ name: z.string().min(1), image: z.string().regex(/^[a-z0-9-]+\.gif$/) });
const catalogue = z.object({
  categories: z.array(z.object({ name: z.string().min(1), respawns: z.array(spot) })).min(1),
  uncategorised: z.array(spot),
});
export type Catalogue = z.infer<typeof catalogue>;

/** @throws Error when the file is missing or of another shape */
export async function readCatalogue(): Promise<Catalogue> {
  return catalogue.parse(JSON.parse(await readFile(path.join(CATALOGUE_DIR, 'catalogue.json'), 'utf8')));
}

/** Stores the catalogue in an empty database; the first category gets id 1, the default one. */
export async function storeCatalogue(tx: Tx, { categories, uncategorised }: Catalogue, created_at: string): Promise<void> {
  const store = async (spots: Catalogue['uncategorised'], category_id: number | null): Promise<void> => {
    const rows = spots.map(({ name, image }) => ({ name, name_key: nameKey(name), image, category_id, created_at }));
    if (rows.length > 0) await tx.insertInto('respawns').values(rows).execute();
  };
  for (const [at, { name, respawns }] of categories.entries()) {
    const { id } = await tx
      .insertInto('categories')
      .values({ name, name_key: nameKey(name) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const isDefault = at === 0;
    // PostgreSQL gives no id twice, also where a first start was cut off and rolled back.
    if (isDefault) await tx.updateTable('categories').set({ id: DEFAULT_CATEGORY_ID }).where('id', '=', id).execute();
    await store(respawns, isDefault ? DEFAULT_CATEGORY_ID : id);
  }
  await store(uncategorised, null);
}
