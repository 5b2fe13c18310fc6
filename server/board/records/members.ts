import type { Selectable } from 'kysely';
import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { FALLBACK_COLOR } from '../../../shared/rules/badge.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import {
  DEFAULT_VOUCHER_HOURS,
  type MemberType,
  memberType,
} from '../../../shared/schemas/member-type.ts';
import { type Bound, type Db, inBatches, prepared, type Tx } from '../../db/database.ts';
import type { MemberTypesTable } from '../../db/schema.ts';
import { byName, recordSource } from '../../live/record-kinds.ts';

const ranks = z.array(z.string());

export const memberTypeOf = (row: Selectable<MemberTypesTable>): MemberType => ({
  ...omit(row, 'name_key'),
  guild_ranks: ranks.parse(JSON.parse(row.guild_ranks)),
});

/** System types first, then by name. */
export async function allMemberTypes(db: Db | Tx): Promise<MemberType[]> {
  const rows = await db
    .selectFrom('member_types')
    .selectAll()
    .orderBy('is_system', 'desc')
    .orderBy('name_key')
    .execute();
  return rows.map(memberTypeOf);
}

export async function findMemberType(db: Db | Tx, name: string): Promise<MemberType | null> {
  const [row] = await byNameKey(db, { name_key: nameKey(name) });
  return row ? memberTypeOf(row) : null;
}

const byNameKey = prepared((db, bound: Bound<{ name_key: string }>) =>
  db.selectFrom('member_types').selectAll().where('name_key', '=', bound('name_key')).compile(),
);

/** A rank of this type that another type has too; case does not count. */
export async function rankTaken(
  db: Db | Tx,
  type: MemberType,
): Promise<{ rank: string; member_type: string } | null> {
  const wanted = new Set(type.guild_ranks.map(nameKey));
  for (const { member_type, guild_ranks } of await allMemberTypes(db)) {
    if (member_type === type.member_type) continue;
    const rank = guild_ranks.find((one) => wanted.has(nameKey(one)));
    if (rank !== undefined) return { rank, member_type };
  }
  return null;
}

/** R4.9: keys and claims outlive their member type. Without one, members may submit four hours, in the fallback colour. */
export async function memberTypeOrFallback(db: Db | Tx, name: string): Promise<MemberType> {
  return (
    (await findMemberType(db, name)) ?? {
      member_type: name,
      voucher_duration_hours: DEFAULT_VOUCHER_HOURS,
      can_submit: 1,
      earliest_submission_date: '0001-01-01',
      allow_secondary_claims: 0,
      background_color: FALLBACK_COLOR,
      is_system: 0,
      guild_ranks: [],
      max_hours_per_day: null,
      max_hours_per_event: null,
    }
  );
}

export const memberTypeRecords = recordSource('member_type', {
  schema: memberType,
  read: ({ tx }) => allMemberTypes(tx),
  order: (one, other) =>
    other.is_system - one.is_system || byName(one.member_type, other.member_type),
});

/* The little that the board asks about characters. `members` owns their keys and bans, and the board must not import it. */

/** The columns that make an access key's record. */
export const ACCESS_KEY_COLUMNS = [
  'id',
  'character_name',
  'key_value',
  'created_by_username',
  'member_type',
  'created_at',
  'is_revoked',
  'revoked_because',
  'discord_user_id',
  'discord_name',
] as const;

/** Ends the link of a key to a Discord user, and a link code. */
export const NO_DISCORD_LINK = {
  discord_user_id: null,
  discord_name: null,
  discord_linked_at: null,
  discord_code_hash: null,
  discord_code_expires_at: null,
  discord_language: null,
  discord_channel_id: null,
  discord_closed_at: null,
} as const;

/** The access key of a character, active or revoked. */
export async function keyOfCharacter(
  db: Db | Tx,
  character_key: string,
): Promise<AccessKey | null> {
  return (
    (await db
      .selectFrom('access_keys')
      .select(ACCESS_KEY_COLUMNS)
      .where('character_key', '=', character_key)
      .executeTakeFirst()) ?? null
  );
}

/** Only this module has it, so that only the check below can make an `AuthorizedCharacter`. */
const AUTHORIZED: unique symbol = Symbol('authorized');

/** A character that is not banned: only such a one can hold a claim, a waitlist entry or a weekly claim. */
export interface AuthorizedCharacter {
  readonly character_name: string;
  readonly character_key: string;
  readonly [AUTHORIZED]: true;
}

/** @param character_keys @returns what characters without a key are called now, by the keys of their former names */
export async function newNamesOf(
  db: Db | Tx,
  character_keys: Iterable<string>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const some of inBatches(character_keys)) {
    const rows = await db
      .selectFrom('character_facts')
      .leftJoin('access_keys', 'access_keys.character_key', 'character_facts.character_key')
      .select(['character_facts.character_key', 'name'])
      .where('character_facts.character_key', 'in', some)
      .where('access_keys.id', 'is', null)
      .execute();
    for (const { character_key, name } of rows)
      if (name !== null && nameKey(name) !== character_key) names.set(character_key, name);
  }
  return names;
}

/**
 * @param by who acts: members act for their own character, everyone else for another one
 * @throws DomainError session.banned, character.banned, character.hasNewName
 */
export async function authorizedCharacter(
  db: Db | Tx,
  by: { role: string },
  character_name: string,
): Promise<AuthorizedCharacter> {
  const character_key = nameKey(character_name);
  if (await isBanned(db, character_key))
    throw by.role === 'member'
      ? new DomainError('session.banned')
      : bannedRefusal([character_name]);
  // A member's character has a key.
  const new_name =
    by.role === 'member' ? undefined : (await newNamesOf(db, [character_key])).get(character_key);
  if (new_name !== undefined)
    throw new DomainError('character.hasNewName', { character_name, new_name });
  return { character_name, character_key, [AUTHORIZED]: true };
}

/** Many characters, checked with few statements. Former names stand for the characters that had them. */
export interface AuthorizedCharacters {
  /** null: it is banned. */
  of: (character_name: string) => AuthorizedCharacter | null;
}

export async function authorizedCharacters(
  db: Db | Tx,
  character_names: Iterable<string>,
): Promise<AuthorizedCharacters> {
  const keys = new Set([...character_names].map(nameKey));
  const newNames = await newNamesOf(db, keys);
  const banned = new Set<string>();
  for (const some of inBatches([...keys, ...[...newNames.values()].map(nameKey)])) {
    const bans = db.selectFrom('bans').select('character_key').where('character_key', 'in', some);
    for (const { character_key } of await bans.execute()) banned.add(character_key);
  }
  const of = (given_name: string): AuthorizedCharacter | null => {
    if (!keys.has(nameKey(given_name))) throw new Error('a character was not checked');
    const character_name = newNames.get(nameKey(given_name)) ?? given_name;
    const character_key = nameKey(character_name);
    if (banned.has(character_key)) return null;
    return { character_name, character_key, [AUTHORIZED]: true };
  };
  return { of };
}

/** Characters that a refusal names; its count has all of them. */
const MAX_NAMED = 20;

/** For admins, who can unban the characters first. */
export function bannedRefusal(character_names: readonly string[]): DomainError {
  const names = [...new Map(character_names.map((name) => [nameKey(name), name])).values()];
  return new DomainError('character.banned', {
    character_name: names.slice(0, MAX_NAMED).join(', '),
    count: names.length,
  });
}

/** Whether a character is banned. */
export const isBanned = async (db: Db | Tx, character_key: string): Promise<boolean> =>
  (await banOf(db, { character_key })).length > 0;

const banOf = prepared((db, bound: Bound<{ character_key: string }>) =>
  db
    .selectFrom('bans')
    .select('character_key')
    .where('character_key', '=', bound('character_key'))
    .compile(),
);
