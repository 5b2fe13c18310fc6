import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { DEFAULT_CATEGORY_ID } from '../../../shared/schemas/category.ts';
import { type ImportAnswer, type ImportedRow, MOST_NEW_CATEGORIES, type RespawnsImport } from '../../../shared/schemas/import.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { changedFields, countAndNames, logActivity } from '../../auth/activity-log.ts';
import { allCategories, findRespawns, putRespawns } from '../../board/records/respawns.ts';
import { showChanged } from '../../board/respawns/respawns.ts';
import { type Clock, type Db, type Reader, type Tx, writeInBatches } from '../../db/database.ts';
import { type ChangeRecorder, type Writer, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { added, judgeLines, kept, nameReader, readFlag } from './lines.ts';

/** The catalogue's picture for imported spots. */
const ANY_SPOT = 'any-spot.gif';

type Row = RespawnsImport['rows'][number];

const readRespawnName = nameReader('respawn.nameRequired');
const readCategoryName = nameReader('category.nameRequired');

/** A spot as a line describes it. */
interface Wanted {
  name: string;
  /** By name, since it may not exist yet; null: none. */
  category: string | null;
  is_enabled: 0 | 1;
}

interface Plan {
  rows: ImportedRow[];
  new_categories: string[];
  made: Wanted[];
  changed: { before: Respawn; after: Wanted }[];
}

async function plan(db: Db | Tx, rows: readonly Row[]): Promise<Plan> {
  const [respawns, categories] = [await findRespawns(db), await allCategories(db)];
  const known = new Map(respawns.map((respawn) => [nameKey(respawn.name), respawn]));
  // In the first spelling: stored ones before those of the file.
  const spelling = new Map(categories.map(({ name }) => [nameKey(name), name]));
  const usual = categories.find(({ id }) => id === DEFAULT_CATEGORY_ID)?.name ?? null;
  const planned: Plan = { rows: [], new_categories: [], made: [], changed: [] };
  const readCategory = (cell: string): string | null => {
    if (nameKey(cell) === '') return null;
    const name = readCategoryName(cell);
    const there = spelling.get(nameKey(name));
    if (there !== undefined) return there;
    if (planned.new_categories.length >= MOST_NEW_CATEGORIES)
      throw new DomainError('import.manyCategories', { count: MOST_NEW_CATEGORIES });
    spelling.set(nameKey(name), name);
    planned.new_categories.push(name);
    return name;
  };
  planned.rows = await judgeLines(
    rows,
    ({ name }) => name,
    (row) => {
      const name = readRespawnName(row.name);
      const enabled = row.enabled === undefined ? null : readFlag(row.enabled);
      const before = known.get(nameKey(name));
      const category = row.category === undefined ? (before ? before.category_name : usual) : readCategory(row.category);
      const after = { name, category, is_enabled: enabled ?? before?.is_enabled ?? 1 };
      if (!before) {
        planned.made.push(after);
        return added(name);
      }
      const was: Wanted = { name: before.name, category: before.category_name, is_enabled: before.is_enabled };
      const changed = changedFields(was, after, ['name', 'category', 'is_enabled']);
      if (Object.keys(changed).length > 0) planned.changed.push({ before, after });
      return kept(before.name, changed);
    },
  );
  return planned;
}

/** What importing these lines would do now. */
export async function previewRespawns({ db }: Reader, rows: readonly Row[]): Promise<ImportAnswer> {
  const { rows: judged, new_categories } = await plan(db, rows);
  return { rows: judged, new_categories, activity_id: null };
}

/** Creates missing spots and categories, and changes spots that differ. */
export async function importRespawns(ctx: Reader & Writer, admin: Admin, rows: readonly Row[]): Promise<ImportAnswer> {
  const known = await plan(ctx.db, rows);
  if (known.made.length + known.changed.length === 0) return { rows: known.rows, new_categories: [], activity_id: null };
  return write(ctx, async (tx, changes) => {
    const { rows: judged, new_categories, made, changed } = await plan(tx, rows);
    const ids = await makeCategories(tx, changes, new_categories);
    await makeRespawns(ctx, tx, changes, made, ids);
    await changeRespawns(tx, changes, changed, ids);
    const { names } = countAndNames([...made, ...changed.map(({ after }) => after)].map(({ name }) => name));
    const details = { added: made.length, altered: changed.length, names, new_categories: countAndNames(new_categories).names };
    const activity_id = await logActivity(changes, admin, 'respawns_imported', details);
    return { rows: judged, new_categories, activity_id };
  });
}

/** @returns the ids of all categories by their names */
async function makeCategories(tx: Tx, changes: ChangeRecorder, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = names.map((name) => ({ name, name_key: nameKey(name) }));
  await writeInBatches(rows, async (some) => {
    const made = await tx.insertInto('categories').values(some).returning(['id', 'name']).execute();
    for (const record of made) changes.put({ kind: 'category', record });
  });
  return new Map((await allCategories(tx)).map(({ id, name }) => [name, id]));
}

const idOf = (ids: ReadonlyMap<string, number>, category: string | null): number | null =>
  category === null ? null : (ids.get(category) ?? null);

async function makeRespawns(
  { now }: Clock,
  tx: Tx,
  changes: ChangeRecorder,
  wanted: readonly Wanted[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const made: number[] = [];
  await writeInBatches(wanted, async (some) => {
    const rows = some.map(({ name, category, is_enabled }) => ({
      name,
      name_key: nameKey(name),
      image: ANY_SPOT,
      category_id: idOf(ids, category),
      is_enabled,
      created_at: now().toISOString(),
    }));
    for (const { id } of await tx.insertInto('respawns').values(rows).returning('id').execute()) made.push(id);
  });
  putRespawns(changes, await findRespawns(tx, { ids: made }));
}

async function changeRespawns(tx: Tx, changes: ChangeRecorder, changed: Plan['changed'], ids: ReadonlyMap<string, number>): Promise<void> {
  const idsIn = (some: Plan['changed']): number[] => some.map(({ before }) => before.id);
  // There are few different values: one statement for all spots with the same one.
  for (const [category, all] of Map.groupBy(changed, ({ after }) => after.category))
    await writeInBatches(all, (some) =>
      tx
        .updateTable('respawns')
        .set({ category_id: idOf(ids, category) })
        .where('id', 'in', idsIn(some))
        .execute(),
    );
  for (const [is_enabled, all] of Map.groupBy(changed, ({ after }) => after.is_enabled))
    await writeInBatches(all, (some) => tx.updateTable('respawns').set({ is_enabled }).where('id', 'in', idsIn(some)).execute());
  const renamed = changed.filter(({ before, after }) => before.name !== after.name);
  await writeInBatches(renamed, async (some) => {
    // Another spelling of the same name, so no other spot can have it.
    for (const { before, after } of some) await tx.updateTable('respawns').set({ name: after.name }).where('id', '=', before.id).execute();
  });
  await showChanged(
    tx,
    changes,
    changed.map(({ before }) => before),
  );
}
