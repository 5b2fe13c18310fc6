import { DomainError } from '../../shared/errors.ts';
import { accessKeyForm } from '../../shared/rules/access-keys.ts';
import type { AdminRole } from '../../shared/rules/roles.ts';
import type { Db, Tx } from '../db/open.ts';
import { type Bound, prepared, readByIds } from '../db/queries.ts';
import type { Admin, Member } from '../http/caller.ts';
import { hashToken } from './hash-token.ts';

/** What a key may be at all; a database need not be asked about anything else. */
const KEY_SHAPE = /^[A-Z0-9-]{1,40}$/;

/**
 * The member whose key this is.
 * @throws DomainError session.invalidKey, session.keyRevoked or session.banned
 */
export async function memberOfKey(db: Db | Tx, key: string): Promise<Member> {
  const key_value = accessKeyForm(key);
  if (!KEY_SHAPE.test(key_value)) throw new DomainError('session.invalidKey');
  const [row] = await findKey(db, { key_value });
  if (!row) throw new DomainError('session.invalidKey');
  if (row.banned_at !== null) throw new DomainError('session.banned');
  if (row.is_revoked) throw new DomainError('session.keyRevoked');
  return {
    role: 'member',
    access_key_id: row.id,
    character_name: row.character_name,
    character_key: row.character_key,
    member_type: row.member_type,
  };
}

const findKey = prepared((db, bound: Bound<{ key_value: string }>) =>
  db
    .selectFrom('access_keys')
    .select(['id', 'character_name', 'character_key', 'member_type', 'is_revoked'])
    // A bound value beside an outer join makes SQLite prepare a statement anew each time.
    .select((key) =>
      key.selectFrom('bans').select('bans.created_at').whereRef('bans.character_key', '=', 'access_keys.character_key').as('banned_at'),
    )
    .where('key_value', '=', bound('key_value'))
    .compile(),
);

const standing = (db: Db) =>
  db
    .selectFrom('access_keys')
    .select(['id', 'member_type', 'is_revoked'])
    .select((key) =>
      key.selectFrom('bans').select('bans.created_at').whereRef('bans.character_key', '=', 'access_keys.character_key').as('banned_at'),
    );

/** What keys stand for by now; those that are gone are left out. */
export const standingOfKeys = (db: Db, ids: readonly number[]): Promise<Awaited<ReturnType<ReturnType<typeof standing>['execute']>>> =>
  readByIds(ids, (some) => standing(db).where('id', 'in', some).execute());

/**
 * The admin who holds this token.
 * @throws DomainError session.expired
 */
export const adminOfToken = (db: Db, token: string, now: Date): Promise<Admin> => adminOfSession(db, hashToken(token), now);

/** @throws DomainError session.expired */
export async function adminOfSession(db: Db | Tx, token_hash: string, now: Date): Promise<Admin> {
  const row = await db
    .selectFrom('admin_sessions')
    .innerJoin('admins', 'admins.id', 'admin_sessions.admin_id')
    .select(['admins.id', 'admins.username', 'admins.role', 'expires_at'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst();
  if (!row || row.expires_at <= now.toISOString()) throw new DomainError('session.expired');
  return { role: 'admin', admin_id: row.id, username: row.username, admin_role: row.role, token_hash };
}

/** Those of some admins' tokens, as hashes, whose sessions still hold, and for which role. */
export async function liveAdminSessions(db: Db, token_hashes: readonly string[], now: Date): Promise<Map<string, AdminRole>> {
  const rows = await db
    .selectFrom('admin_sessions')
    .innerJoin('admins', 'admins.id', 'admin_sessions.admin_id')
    .select(['token_hash', 'role'])
    .where('token_hash', 'in', token_hashes)
    .where('expires_at', '>', now.toISOString())
    .execute();
  return new Map(rows.map(({ token_hash, role }) => [token_hash, role]));
}

/** Whether an admin still has the password that was made up at the first start, and printed there. */
export async function hasGeneratedPassword(db: Db, admin_id: number): Promise<boolean> {
  const admin = await db.selectFrom('admins').select('has_generated_password').where('id', '=', admin_id).executeTakeFirst();
  return admin?.has_generated_password === 1;
}
