import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { ImportAnswer, ImportedRow, MembersImport } from '../../../shared/schemas/import.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../shared/schemas/member-type.ts';
import { keepUndo, type UndoRecord } from '../../activity/undo-store.ts';
import { countAndNames, logActivity } from '../../auth/activity-log.ts';
import {
  ACCESS_KEY_COLUMNS,
  allMemberTypes,
  bannedRefusal,
  newNamesOf,
} from '../../board/records/members.ts';
import { type Db, inBatches, type Reading, type Tx } from '../../db/database.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { moveKeys, showKeys, storeKeys } from '../access-keys.ts';
import { changedKeys, madeKeys } from '../restore.ts';
import { judgeLines, kept, nameReader, newRow } from './lines.ts';

type Row = MembersImport['rows'][number];

const readCharacterName = nameReader('character.nameRequired');

interface Plan {
  rows: ImportedRow[];
  made: { character_name: string; member_type: string }[];
  moved: { key: AccessKey; member_type: string }[];
}

async function plan(db: Db | Tx, rows: readonly Row[]): Promise<Plan> {
  const types = new Map(
    (await allMemberTypes(db)).map(({ member_type }) => [nameKey(member_type), member_type]),
  );
  const { keys, banned, newNames } = await knownOf(
    db,
    rows.map(({ character_name }) => nameKey(character_name)),
  );
  const planned: Plan = { rows: [], made: [], moved: [] };
  const readType = (cell: string): string | null => {
    if (nameKey(cell) === '') return null;
    const type = types.get(nameKey(cell));
    if (type === undefined) throw new DomainError('memberType.notFound');
    return type;
  };
  planned.rows = await judgeLines(
    rows,
    ({ character_name }) => character_name,
    (row) => {
      const character_name = readCharacterName(row.character_name);
      const type = row.member_type === undefined ? null : readType(row.member_type);
      const key = keys.get(nameKey(character_name));
      if (!key) {
        if (banned.has(nameKey(character_name))) throw bannedRefusal([character_name]);
        const new_name = newNames.get(nameKey(character_name));
        if (new_name !== undefined)
          throw new DomainError('character.hasNewName', { character_name, new_name });
        planned.made.push({ character_name, member_type: type ?? DEFAULT_MEMBER_TYPE });
        return newRow(character_name);
      }
      if (type === null || type === key.member_type) return kept(key.character_name, {});
      if (key.is_revoked) throw new DomainError('key.notActive');
      planned.moved.push({ key, member_type: type });
      return kept(key.character_name, { member_type: { from: key.member_type, to: type } });
    },
  );
  return planned;
}

/** The keys, bans and new names of these characters. */
async function knownOf(
  db: Db | Tx,
  characters: readonly string[],
): Promise<{
  keys: Map<string, AccessKey>;
  banned: Set<string>;
  newNames: ReadonlyMap<string, string>;
}> {
  const keys = new Map<string, AccessKey>();
  const banned = new Set<string>();
  for (const some of inBatches(new Set(characters))) {
    const found = await db
      .selectFrom('access_keys')
      .select([...ACCESS_KEY_COLUMNS, 'character_key'])
      .where('character_key', 'in', some)
      .execute();
    for (const { character_key, ...key } of found) keys.set(character_key, key);
    const bans = await db
      .selectFrom('bans')
      .select('character_key')
      .where('character_key', 'in', some)
      .execute();
    for (const { character_key } of bans) banned.add(character_key);
  }
  return { keys, banned, newNames: await newNamesOf(db, new Set(characters)) };
}

export async function previewMembers({ db }: Reading, rows: readonly Row[]): Promise<ImportAnswer> {
  return { rows: (await plan(db, rows)).rows, new_categories: [], activity_id: null };
}

/** Creates keys for characters that have none, and sets the member type of the others. */
export async function importMembers(
  ctx: Writing,
  admin: Admin,
  rows: readonly Row[],
): Promise<ImportAnswer> {
  const known = await plan(ctx.db, rows);
  if (known.made.length + known.moved.length === 0)
    return { rows: known.rows, new_categories: [], activity_id: null };
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const { rows: judged, made, moved } = await plan(tx, rows);
    const created_by_username = admin.username;
    const keys = made.map((character) => ({ ...character, created_by_username }));
    const stored = await storeKeys(unit, keys);
    await showKeys(unit, stored);
    const records: UndoRecord[] = [...madeKeys(stored)];
    for (const [member_type, all] of Map.groupBy(moved, (one) => one.member_type)) {
      const others = all.map(({ key }) => key);
      records.push(
        ...(await changedKeys(
          tx,
          others.map(({ id }) => id),
          { member_type },
        )),
      );
      await moveKeys(unit, { keys: others, member_type });
    }
    const { names } = countAndNames(
      [...made, ...moved.map(({ key }) => key)].map(({ character_name }) => character_name),
    );
    const details = { added: made.length, altered: moved.length, names };
    const undo = await keepUndo(unit, { records });
    const activity_id = await logActivity(unit, admin, {
      action: 'members_imported',
      details,
      undo,
    });
    return { rows: judged, new_categories: [], activity_id };
  });
}
