import { type Kysely, sql } from 'kysely';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { Finding } from './finding.ts';

/**
 * Lists in which a name stands once. A row's new key is the old key of another row only where both get it: so twins
 * are seen to first, and after that the others get their keys in any order.
 */

interface Named {
  name: string;
  key: string;
}

const MAX_NAME_LENGTH = 60;

/** The rows that share a name with an earlier one, each with that one; the order is the caller's. */
function twinsIn<R extends Named>(rows: readonly R[]): { first: R; twin: R }[] {
  const firsts = new Map<string, R>();
  const twins: { first: R; twin: R }[] = [];
  for (const row of rows) {
    const first = firsts.get(nameKey(row.name));
    if (first) twins.push({ first, twin: row });
    else firsts.set(nameKey(row.name), row);
  }
  return twins;
}

/** "Name (2)", or the first number that nobody has. */
function freeName(name: string, taken: Set<string>): string {
  for (let number = 2; ; number += 1) {
    const suffix = ` (${number})`;
    const free = [...name].slice(0, MAX_NAME_LENGTH - suffix.length).join('') + suffix;
    if (taken.has(nameKey(free))) continue;
    taken.add(nameKey(free));
    return free;
  }
}

const keysOf = (rows: readonly Named[]): Set<string> => new Set(rows.map(({ name }) => nameKey(name)));
const changed = <R extends Named>(rows: readonly R[], twins: readonly { twin: R }[]): R[] => {
  const gone = new Set(twins.map(({ twin }) => twin));
  return rows.filter((row) => !gone.has(row) && nameKey(row.name) !== row.key);
};

const COLUMNS = {
  categories: ['name', 'name_key'],
  respawns: ['name', 'name_key'],
  events: ['name', 'name_key'],
  admins: ['username', 'username_key'],
} as const;

/** The later of two gets another name: "Name (2)". */
export async function renameTwins(db: Kysely<unknown>, table: keyof typeof COLUMNS): Promise<Finding[]> {
  const [name_column, key_column] = COLUMNS[table];
  const [named, name, key] = [sql.table(table), sql.ref(name_column), sql.ref(key_column)];
  const { rows } = await sql<Named & { id: number }>`select id, ${name} as name, ${key} as key from ${named} order by id`.execute(db);
  const twins = twinsIn(rows);
  const taken = keysOf(rows);
  const findings: Finding[] = [];
  for (const { twin } of twins) {
    const to = freeName(twin.name, taken);
    await sql`update ${named} set ${name} = ${to}, ${key} = ${nameKey(to)} where id = ${twin.id}`.execute(db);
    findings.push({ [name_column]: twin.name, changed: { [name_column]: { from: twin.name, to } } });
  }
  for (const row of changed(rows, twins)) await sql`update ${named} set ${key} = ${nameKey(row.name)} where id = ${row.id}`.execute(db);
  return findings;
}

/** A member type is known by its name: keys and claims that carry a renamed one carry the new name. */
export async function renameTwinTypes(db: Kysely<unknown>): Promise<Finding[]> {
  const { rows } =
    await sql<Named>`select member_type as name, name_key as key from member_types order by is_system desc, member_type`.execute(db);
  const twins = twinsIn(rows);
  const taken = keysOf(rows);
  const findings: Finding[] = [];
  for (const { twin } of twins) {
    const to = freeName(twin.name, taken);
    await sql`update member_types set member_type = ${to}, name_key = ${nameKey(to)} where member_type = ${twin.name}`.execute(db);
    await sql`update access_keys set member_type = ${to} where member_type = ${twin.name}`.execute(db);
    await sql`update claims set member_type = ${to} where member_type = ${twin.name}`.execute(db);
    findings.push({ name: twin.name, changed: { member_type: { from: twin.name, to } } });
  }
  for (const { name } of changed(rows, twins)) {
    await sql`update member_types set name_key = ${nameKey(name)} where member_type = ${name}`.execute(db);
  }
  return findings;
}

/** A character has one key: the older one stays, revoked or not, since the newer one may have been a way around that. */
export async function deleteTwinKeys(db: Kysely<unknown>): Promise<Finding[]> {
  const { rows } = await sql<
    Named & { id: number; member_type: string }
  >`select id, character_name as name, character_key as key, member_type from access_keys order by id`.execute(db);
  const twins = twinsIn(rows);
  const findings: Finding[] = [];
  for (const { first, twin } of twins) {
    await sql`delete from access_keys where id = ${twin.id}`.execute(db);
    findings.push({
      character_name: first.name,
      other_spelling: twin.name,
      deleted_keys: 1,
      member_type: twin.member_type,
      access_key_id: twin.id,
    });
  }
  for (const { id, name } of changed(rows, twins)) {
    await sql`update access_keys set character_key = ${nameKey(name)} where id = ${id}`.execute(db);
  }
  return findings;
}

/** Two bans of one character are one, the older. */
export async function mergeTwinBans(db: Kysely<unknown>): Promise<Finding[]> {
  const { rows } =
    await sql<Named>`select character_name as name, character_key as key from bans order by created_at, character_key`.execute(db);
  const twins = twinsIn(rows);
  const findings: Finding[] = [];
  for (const { first, twin } of twins) {
    await sql`delete from bans where character_key = ${twin.key}`.execute(db);
    findings.push({ character_name: first.name, other_spelling: twin.name, merged_bans: 2 });
  }
  for (const { name, key } of changed(rows, twins)) {
    await sql`update bans set character_key = ${nameKey(name)} where character_key = ${key}`.execute(db);
  }
  return findings;
}
