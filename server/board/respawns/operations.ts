import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { DEFAULT_CATEGORY_ID } from '../../../shared/schemas/category.ts';
import type { Respawn, RespawnInput } from '../../../shared/schemas/respawn.ts';
import { recordActivity } from '../../activity/record.ts';
import { whatChanged } from '../../activity/what-changed.ts';
import type { Admin } from '../../auth/callers.ts';
import type { Db, Reading, Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { findCategory } from '../categories/queries.ts';
import { showChanged } from './change-many.ts';
import { putRespawns } from './changes.ts';
import { dropUnusedPictures, imageName, type Picture, pictureOf, storePicture } from './pictures.ts';
import { findRespawns } from './queries.ts';

/** @throws DomainError respawn.notFound */
export async function existingRespawn(db: Db | Tx, id: number): Promise<Respawn> {
  const [respawn] = await findRespawns(db, { ids: [id] });
  if (!respawn) throw new DomainError('respawn.notFound');
  return respawn;
}

async function assertNameIsFree(tx: Tx, name: string, except?: number): Promise<void> {
  const other = await tx.selectFrom('respawns').select(['id', 'name']).where('name_key', '=', nameKey(name)).executeTakeFirst();
  if (other && other.id !== except) throw new DomainError('respawn.nameExists', { name: other.name });
}

/** @throws DomainError category.notFound */
export async function assertCategoryExists(tx: Tx, id: number): Promise<void> {
  if (!(await findCategory(tx, id))) throw new DomainError('category.notFound');
}

/**
 * Creates a respawn with its picture; it takes claims at once.
 * @param file the uploaded file, or null without one
 * @throws DomainError respawn.imageRequired, respawn.notGif, respawn.gifTooLarge, respawn.nameExists, category.notFound
 */
export async function createRespawn(ctx: Writing, admin: Admin, input: RespawnInput, file: Buffer | null): Promise<Respawn> {
  const { name, category_id = DEFAULT_CATEGORY_ID } = input;
  const picture = pictureOf(file);
  const image = imageName(picture);
  return write(ctx, async (tx, changes) => {
    await assertNameIsFree(tx, name);
    await assertCategoryExists(tx, category_id);
    await storePicture(ctx, tx, picture);
    const { id } = await tx
      .insertInto('respawns')
      .values({ name, name_key: nameKey(name), image, category_id, created_at: ctx.now().toISOString() })
      .returning('id')
      .executeTakeFirstOrThrow();
    const record = await existingRespawn(tx, id);
    putRespawns(changes, [record]);
    const { category_name } = record;
    await recordActivity(ctx, tx, changes, admin, 'respawn_created', { respawn_id: id, name, category_name, image });
    return record;
  });
}

/** Fields to change; one that is left out, or undefined, stays. */
export interface RespawnEdit {
  name?: string | undefined;
  is_enabled?: 0 | 1 | undefined;
  /** null: uncategorised. */
  category_id?: number | null | undefined;
  picture?: Picture;
}

/**
 * Changes the fields that are given. A disabled respawn keeps its claims, takes no more, and members see it no longer.
 * @throws DomainError respawn.notFound, respawn.nameExists, category.notFound
 */
export async function editRespawn(ctx: Reading & Writing, admin: Admin, id: number, edit: RespawnEdit): Promise<Respawn> {
  const known = await existingRespawn(ctx.db, id);
  if (isDeepStrictEqual(withEdit(known, edit), known)) return known;
  return write(ctx, async (tx, changes) => {
    const before = await existingRespawn(tx, id);
    const { name, is_enabled, category_id, image } = withEdit(before, edit);
    await assertNameIsFree(tx, name, id);
    if (category_id !== null) await assertCategoryExists(tx, category_id);
    if (edit.picture) await storePicture(ctx, tx, edit.picture);
    await tx
      .updateTable('respawns')
      .set({ name, name_key: nameKey(name), is_enabled, category_id, image })
      .where('id', '=', id)
      .execute();
    await dropUnusedPictures(tx, [before.image]);
    const [record] = await showChanged(tx, changes, [before]);
    if (!record) throw new DomainError('respawn.notFound');
    const changed = whatChanged(before, record, ['name', 'is_enabled', 'category_name', 'image']);
    await recordActivity(ctx, tx, changes, admin, 'respawn_updated', { respawn_id: id, name, changed });
    return record;
  });
}

function withEdit(respawn: Respawn, edit: RespawnEdit): Respawn {
  const { name = respawn.name, is_enabled = respawn.is_enabled, category_id = respawn.category_id, picture } = edit;
  return { ...respawn, name, is_enabled, category_id, image: picture ? imageName(picture) : respawn.image };
}
