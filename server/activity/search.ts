import type { ActivityAction } from '../../shared/activity-actions.ts';
import { namesInEntry } from '../../shared/rules/entry-names.ts';
import { endOfNames, nameKey } from '../../shared/rules/names.ts';
import type { ActivityDetails } from '../../shared/schemas/activity-details.ts';
import { type BoundRows, type Db, inBatches, preparedRows, type Tx } from '../db/database.ts';

/* The log is found by the characters and spots that its entries name. What a search reads doesn't grow with the log. */

/** Names with the searched beginning: the first in the alphabet. */
const MAX_NAMES = 10;
/** The newest entries of each name. */
const MAX_OF_NAME = 2_000;

interface NameOfEntry {
  name_key: string;
  entry_id: number;
}

const insertNames = preparedRows((tx, rows: BoundRows<NameOfEntry>) =>
  tx
    .insertInto('activity_names')
    .values(rows.map((bound) => ({ name_key: bound('name_key'), entry_id: bound('entry_id') })))
    .compile(),
);

export interface NamedEntry {
  id: number;
  details: ActivityDetails;
  named: readonly string[];
}

export async function storeNames(
  tx: Tx,
  action: ActivityAction,
  entries: readonly NamedEntry[],
): Promise<void> {
  const names = entries.flatMap(({ id, details, named }) =>
    [...new Set([...namesInEntry(action, details), ...named.map(nameKey)])].map((name_key) => ({
      name_key,
      entry_id: id,
    })),
  );
  for (const some of inBatches(names)) await insertNames(tx, some);
}

/** The ids of the newest entries that name a character or a spot beginning with the text, the newest first. */
export async function entriesNaming(db: Db, text: string): Promise<number[]> {
  const ids = new Set<number>();
  const names = await namesBeginning(db, nameKey(text));
  const found = names.map((name_key) =>
    db
      .selectFrom('activity_names')
      .select('entry_id')
      .where('name_key', '=', name_key)
      .orderBy('entry_id', 'desc')
      .limit(MAX_OF_NAME)
      .execute(),
  );
  for (const entries of await Promise.all(found))
    for (const { entry_id } of entries) ids.add(entry_id);
  return [...ids].sort((one, other) => other - one);
}

/** Looks up one name after another: a `distinct` would read every entry of each. */
async function namesBeginning(db: Db, beginning: string): Promise<string[]> {
  const names: string[] = [];
  const next = async (after: '>=' | '>', key: string): Promise<string | undefined> =>
    (
      await db
        .selectFrom('activity_names')
        .select('name_key')
        .where('name_key', after, key)
        .where('name_key', '<', endOfNames(beginning))
        .orderBy('name_key')
        .limit(1)
        .executeTakeFirst()
    )?.name_key;
  let name = await next('>=', beginning);
  while (name !== undefined && names.length < MAX_NAMES) {
    names.push(name);
    name = await next('>', name);
  }
  return names;
}
