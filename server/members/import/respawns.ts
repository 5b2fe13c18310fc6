import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { DEFAULT_CATEGORY_ID } from '../../../shared/schemas/category.ts';
import {
  type ImportAnswer,
  type ImportedRow,
  MAX_NEW_CATEGORIES,
  type RespawnsImport,
} from '../../../shared/schemas/import.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { keepUndo } from '../../activity/undo-store.ts';
import { changedFields, countAndNames, logActivity } from '../../auth/activity-log.ts';
import { insertCategories, madeCategories } from '../../board/categories/categories.ts';
import { keptEntries } from '../../board/kept-entries.ts';
import { allCategories, findRespawns } from '../../board/records/respawns.ts';
import { editRespawns, insertRespawns } from '../../board/respawns/respawns.ts';
import { changedRespawns, madeRespawns } from '../../board/respawns/restore.ts';
import { openEntriesAt } from '../../board/waitlist/waitlist-store.ts';
import type { Db, Reading, Tx } from '../../db/database.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { judgeLines, kept, nameReader, newRow, readFlag } from './lines.ts';

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
  const respawns = await findRespawns(db);
  const categories = await allCategories(db);
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
    if (planned.new_categories.length >= MAX_NEW_CATEGORIES)
      throw new DomainError('import.manyCategories', { count: MAX_NEW_CATEGORIES });
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
      const category =
        row.category === undefined
          ? before
            ? before.category_name
            : usual
          : readCategory(row.category);
      const after = { name, category, is_enabled: enabled ?? before?.is_enabled ?? 1 };
      if (!before) {
        planned.made.push(after);
        return newRow(name);
      }
      const was: Wanted = {
        name: before.name,
        category: before.category_name,
        is_enabled: before.is_enabled,
      };
      const changed = changedFields(was, after, ['name', 'category', 'is_enabled']);
      if (Object.keys(changed).length > 0) planned.changed.push({ before, after });
      return kept(before.name, changed);
    },
  );
  return planned;
}

export async function previewRespawns(
  { db }: Reading,
  rows: readonly Row[],
): Promise<ImportAnswer> {
  const { rows: judged, new_categories } = await plan(db, rows);
  return { rows: judged, new_categories, activity_id: null };
}

/** Creates missing spots and categories, and changes spots that differ. */
export async function importRespawns(
  ctx: Writing,
  admin: Admin,
  rows: readonly Row[],
): Promise<ImportAnswer> {
  const known = await plan(ctx.db, rows);
  if (known.made.length + known.changed.length === 0)
    return { rows: known.rows, new_categories: [], activity_id: null };
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const { rows: judged, new_categories, made, changed } = await plan(tx, rows);
    const made_categories = await insertCategories(unit, new_categories);
    const ids = new Map((await allCategories(tx)).map(({ id, name }) => [name, id]));
    const stored = ({ name, category, is_enabled }: Wanted) => ({
      name,
      category_id: idOf(ids, category),
      is_enabled,
    });
    const records = [...madeCategories(made_categories)];
    for (const { before, after } of changed)
      records.push(...(await changedRespawns(tx, [before.id], stored(after))));
    const disabled = changed.filter(
      ({ before, after }) => before.is_enabled === 1 && after.is_enabled === 0,
    );
    const waits = await openEntriesAt(
      tx,
      disabled.map(({ before }) => before.id),
    );
    records.push(...(await keptEntries(tx, waits)));
    const spots = await insertRespawns(
      unit,
      made.map((spot) => ({ ...stored(spot), image: ANY_SPOT })),
    );
    await editRespawns(
      unit,
      changed.map(({ before, after }) => ({ before, after: stored(after) })),
    );
    const { names } = countAndNames(
      [...made, ...changed.map(({ after }) => after)].map(({ name }) => name),
    );
    const details = {
      added: made.length,
      altered: changed.length,
      names,
      new_categories: countAndNames(new_categories).names,
    };
    const undo = await keepUndo(unit, { records: [...records, ...madeRespawns(spots)] });
    const activity_id = await logActivity(unit, admin, {
      action: 'respawns_imported',
      details,
      undo,
    });
    return { rows: judged, new_categories, activity_id };
  });
}

const idOf = (ids: ReadonlyMap<string, number>, category: string | null): number | null =>
  category === null ? null : (ids.get(category) ?? null);
