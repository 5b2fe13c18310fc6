import { isDeepStrictEqual } from 'node:util';
import { existing } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { BulkAnswer, RespawnsBulk, RespawnsCommand } from '../../../shared/schemas/bulk.ts';
import { DEFAULT_CATEGORY_ID } from '../../../shared/schemas/category.ts';
import type { Respawn, RespawnInput } from '../../../shared/schemas/respawn.ts';
import { keepUndo } from '../../activity/undo-store.ts';
import {
  allUnchanged,
  changedFields,
  countAndNames,
  type KeptUndo,
  logActivity,
} from '../../auth/activity-log.ts';
import { writeInBatches } from '../../db/database.ts';
import { dropUnusedPictures, imageName, type Picture, storePicture } from '../../db/pictures.ts';
import { assertNameIsFree } from '../../db/unique-names.ts';
import { MANY_CHANGES, type Unit, type Writing, write, writeMany } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { changedSpots } from '../changed-spots.ts';
import { beginClaimWrite } from '../claims/claims-changed.ts';
import { beyondUndo, deleteClaims } from '../claims/end-claims.ts';
import { countHours } from '../claims/occupancy.ts';
import { keptEntries } from '../kept-entries.ts';
import { findCategory, findRespawn, findRespawns, putRespawns } from '../records/respawns.ts';
import { endEntries } from '../waitlist/entries.ts';
import { openEntriesAt } from '../waitlist/waitlist-store.ts';
import { pictureOf } from './pictures.ts';
import { changedRespawns, deletedRespawns } from './restore.ts';

interface NewRespawn extends RespawnInput {
  /** The uploaded file; null: there is none. */
  file: Buffer | null;
}

/**
 * Creates a respawn with its picture; it takes claims at once.
 * @throws DomainError respawn.imageRequired, respawn.notGif, respawn.gifDamaged, respawn.gifTooLarge, respawn.nameExists, category.notFound
 */
export async function createRespawn(
  ctx: Writing,
  admin: Admin,
  { name, category_id = DEFAULT_CATEGORY_ID, file }: NewRespawn,
): Promise<Respawn> {
  const picture = pictureOf(file);
  const image = imageName(picture);
  return write(ctx, async (unit) => {
    const { tx } = unit;
    await assertNameIsFree(tx, 'respawns', { name });
    existing(await findCategory(tx, category_id), 'category.notFound');
    await storePicture(ctx, tx, picture);
    const [inserted] = await insertRespawns(unit, [{ name, image, category_id, is_enabled: 1 }]);
    const record = existing(inserted, 'respawn.notFound');
    const { id, category_name } = record;
    await logActivity(unit, admin, {
      action: 'respawn_created',
      details: { respawn_id: id, name, category_name, image },
    });
    return record;
  });
}

/** The respawn, and the fields to change. */
interface RespawnEdit {
  id: number;
  name?: string | undefined;
  is_enabled?: 0 | 1 | undefined;
  /** null: uncategorised. */
  category_id?: number | null | undefined;
  picture?: Picture;
}

/**
 * Changes the given fields. A disabled respawn keeps its claims, takes no new ones, and is hidden from members.
 * @throws DomainError respawn.notFound, respawn.nameExists, category.notFound
 */
export async function editRespawn(ctx: Writing, admin: Admin, edit: RespawnEdit): Promise<Respawn> {
  const { id } = edit;
  const known = existing(await findRespawn(ctx.db, id), 'respawn.notFound');
  if (isDeepStrictEqual(withEdit(known, edit), known)) return known;
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const before = existing(await findRespawn(tx, id), 'respawn.notFound');
    const { name, is_enabled, category_id, image } = withEdit(before, edit);
    await assertNameIsFree(tx, 'respawns', { name, id });
    if (category_id !== null) existing(await findCategory(tx, category_id), 'category.notFound');
    if (edit.picture) await storePicture(ctx, tx, edit.picture);
    // Pictures are not undone: the entry of a change of one offers no undo.
    const records =
      image === before.image
        ? await changedRespawns(tx, [id], { name, is_enabled, category_id })
        : [];
    const waits = before.is_enabled && !is_enabled ? await openEntriesAt(tx, [id]) : [];
    const undo =
      records.length > 0
        ? await keepUndo(unit, { records: [...records, ...(await keptEntries(tx, waits))] })
        : null;
    await tx
      .updateTable('respawns')
      .set({ name, name_key: nameKey(name), is_enabled, category_id, image })
      .where('id', '=', id)
      .execute();
    await dropUnusedPictures(tx, [before.image]);
    const [updated] = await showChanged(unit, [before]);
    const record = existing(updated, 'respawn.notFound');
    const changed = changedFields(before, record, ['name', 'is_enabled', 'category_name', 'image']);
    await logActivity(unit, admin, {
      action: 'respawn_updated',
      details: { respawn_id: id, name, changed },
      undo,
    });
    return record;
  });
}

function withEdit(respawn: Respawn, edit: RespawnEdit): Respawn {
  const {
    name = respawn.name,
    is_enabled = respawn.is_enabled,
    category_id = respawn.category_id,
    picture,
  } = edit;
  return {
    ...respawn,
    name,
    is_enabled,
    category_id,
    image: picture ? imageName(picture) : respawn.image,
  };
}

/*
 * Changes of one or many respawns within a caller's write: everything but the log's entry. Respawns are passed as they were read
 * in that write.
 */

/** Enables or disables respawns, or moves them to an existing category. */
async function setRespawns(
  unit: Unit,
  before: readonly Respawn[],
  set: Pick<Respawn, 'is_enabled'> | Pick<Respawn, 'category_id'>,
): Promise<Respawn[]> {
  const ids = before.map(({ id }) => id);
  await writeInBatches(ids, (some) =>
    unit.tx.updateTable('respawns').set(set).where('id', 'in', some).execute(),
  );
  return showChanged(unit, before);
}

type RespawnFields = Pick<Respawn, 'name' | 'category_id' | 'is_enabled'>;

/** Stores new respawns whose names are free. */
export async function insertRespawns(
  { ctx, tx, changes }: Unit,
  respawns: readonly (RespawnFields & Pick<Respawn, 'image'>)[],
): Promise<Respawn[]> {
  const ids: number[] = [];
  const created_at = ctx.now().toISOString();
  await writeInBatches(respawns, async (some) => {
    const rows = some.map((fields) => ({ ...fields, name_key: nameKey(fields.name), created_at }));
    for (const { id } of await tx.insertInto('respawns').values(rows).returning('id').execute())
      ids.push(id);
  });
  const stored = await findRespawns(tx, { ids });
  putRespawns(changes, stored);
  return stored;
}

/** Changes respawns; a name only to another spelling of itself, so that no other respawn can have it. */
export async function editRespawns(
  unit: Unit,
  edits: readonly { before: Respawn; after: RespawnFields }[],
): Promise<void> {
  // There are few different values: one statement for all respawns with the same one.
  const set = (some: typeof edits, fields: Partial<RespawnFields>) =>
    writeInBatches(some, (few) =>
      unit.tx
        .updateTable('respawns')
        .set(fields)
        .where(
          'id',
          'in',
          few.map(({ before }) => before.id),
        )
        .execute(),
    );
  for (const [category_id, some] of Map.groupBy(edits, ({ after }) => after.category_id))
    await set(some, { category_id });
  for (const [is_enabled, some] of Map.groupBy(edits, ({ after }) => after.is_enabled))
    await set(some, { is_enabled });
  for (const edit of edits)
    if (edit.before.name !== edit.after.name) await set([edit], { name: edit.after.name });
  await showChanged(
    unit,
    edits.map(({ before }) => before),
  );
}

/** Shows respawns. The waitlists of those that were enabled or disabled are checked again. */
async function showChanged({ tx, changes }: Unit, before: readonly Respawn[]): Promise<Respawn[]> {
  const after = await findRespawns(tx, { ids: before.map(({ id }) => id) });
  const were = new Map(before.map(({ id, is_enabled }) => [id, is_enabled]));
  for (const { id, is_enabled } of after)
    if (is_enabled !== were.get(id)) changes.collect(changedSpots).set(id, null);
  putRespawns(changes, after);
  return after;
}

interface DeletedRespawns {
  claim_count: number;
  beyond_undo?: true;
  undo: KeptUndo | null;
  named: readonly string[];
}

/**
 * Deletes respawns with all their claims in all events, split claims with both parts (R4.12).
 * @returns how many claims and whose, and the undo, unless there were too many
 */
async function deleteRespawns(
  unit: Unit,
  admin: Admin,
  respawns: readonly Respawn[],
): Promise<DeletedRespawns> {
  const { tx, changes } = unit;
  const ids = respawns.map(({ id }) => id);
  const [first] = respawns;
  const respawn = first && respawns.length === 1 ? { id: first.id, name: first.name } : null;
  const waits = await openEntriesAt(tx, ids);
  const records = [...(await deletedRespawns(tx, ids)), ...(await keptEntries(tx, waits))];
  const bulk = { action: 'respawns_deleted', event: null, respawn } as const;
  const {
    count: claim_count,
    undo,
    named,
  } = await deleteClaims(
    await beginClaimWrite(unit, admin),
    { type: 'respawns', respawns },
    { cause: 'respawn_deleted', bulk, records },
  );
  // Before the rows are deleted, so that the entries can still name the spots.
  await endEntries(unit, await openEntriesAt(tx, ids), { status: 'void' });
  await writeInBatches(ids, (some) => tx.deleteFrom('respawns').where('id', 'in', some).execute());
  for (const { id, name } of respawns) changes.collect(changedSpots).set(id, name);
  await dropUnusedPictures(tx, new Set(respawns.map(({ image }) => image)));
  if (ids.length > MANY_CHANGES) changes.reset();
  else for (const id of ids) changes.remove('respawn', id);
  return { claim_count, undo, named, ...beyondUndo(claim_count) };
}

/**
 * Deletes a respawn with all its claims in all events, split claims with both parts (R4.12).
 * @throws DomainError respawn.notFound
 */
export async function deleteRespawn(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await writeMany(ctx, await countHours(ctx.db, 'respawn_id', [id]), async (unit) => {
    const respawn = existing(await findRespawn(unit.tx, id), 'respawn.notFound');
    const { undo, named, ...counted } = await deleteRespawns(unit, admin, [respawn]);
    await logActivity(unit, admin, {
      action: 'respawn_deleted',
      details: { respawn_id: id, name: respawn.name, ...counted },
      undo,
      named,
    });
  });
}

/**
 * Changes many respawns, all or nothing, with one entry and one undo. Respawns that need no change or are gone are counted as unchanged.
 * @throws DomainError category.notFound
 */
export async function changeRespawnsInBulk(
  ctx: Writing,
  admin: Admin,
  { ids, command }: RespawnsBulk,
): Promise<BulkAnswer> {
  const rows = command.do === 'delete' ? await countHours(ctx.db, 'respawn_id', ids) : ids.length;
  return writeMany(ctx, rows, async (unit) => {
    const { tx } = unit;
    if (command.do === 'move' && command.category_id !== null)
      existing(await findCategory(tx, command.category_id), 'category.notFound');
    const respawns = (await findRespawns(tx, { ids })).filter((respawn) =>
      isConcerned(respawn, command),
    );
    if (respawns.length === 0) return allUnchanged(ids);
    const activity_id = await changeRespawns(unit, admin, { respawns, command });
    return { changed: respawns.length, unchanged: ids.length - respawns.length, activity_id };
  });
}

function isConcerned({ is_enabled, category_id }: Respawn, command: RespawnsCommand): boolean {
  if (command.do === 'delete') return true;
  return command.do === 'move'
    ? category_id !== command.category_id
    : is_enabled !== (command.do === 'enable' ? 1 : 0);
}

async function changeRespawns(
  unit: Unit,
  admin: Admin,
  { respawns, command }: { respawns: readonly Respawn[]; command: RespawnsCommand },
): Promise<number | null> {
  const { tx } = unit;
  const names = countAndNames(respawns.map(({ name }) => name));
  if (command.do === 'delete') {
    const { undo, named, ...counted } = await deleteRespawns(unit, admin, respawns);
    const activity_id = await logActivity(unit, admin, {
      action: 'respawns_deleted',
      details: { ...names, ...counted },
      undo,
      named: [...respawns.map(({ name }) => name), ...named],
    });
    return undo && activity_id;
  }
  const set =
    command.do === 'move'
      ? { category_id: command.category_id }
      : { is_enabled: command.do === 'enable' ? (1 as const) : (0 as const) };
  const ids = respawns.map(({ id }) => id);
  const waits = command.do === 'disable' ? await openEntriesAt(tx, ids) : [];
  const undo = await keepUndo(unit, {
    records: [...(await changedRespawns(tx, ids, set)), ...(await keptEntries(tx, waits))],
  });
  const [changed] = await setRespawns(unit, respawns, set);
  if (command.do === 'move') {
    const details = { ...names, category_name: changed?.category_name ?? null };
    return logActivity(unit, admin, { action: 'respawns_moved', details, undo });
  }
  return logActivity(unit, admin, {
    action: command.do === 'enable' ? 'respawns_enabled' : 'respawns_disabled',
    details: names,
    undo,
  });
}
