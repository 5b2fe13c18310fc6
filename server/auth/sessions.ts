import { hash, randomBytes } from 'node:crypto';
import { TOKEN_BYTES } from '../../shared/credentials.ts';
import { DomainError, type ErrorCode } from '../../shared/errors.ts';
import { accessKeyForm } from '../../shared/rules/access-keys.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { AdminRole } from '../../shared/rules/roles.ts';
import type { AccessKey, RevokedBecause } from '../../shared/schemas/access-key.ts';
import { type Bound, type Db, prepared, readByIds, type Tx } from '../db/database.ts';
import { type Unit, type Writing, write } from '../db/unit-of-work.ts';
import type { Admin, Member } from '../http/caller.ts';
import { logActivity } from './activity-log.ts';
import { checkPassword, type PasswordGuard, strongerHash } from './passwords.ts';

/** How long an admin stays signed in, in days. */
const ADMIN_SESSION_DAYS = 30;

/**
 * Signs an admin in.
 * @returns the token for the Authorization header; only its hash is stored
 * @throws DomainError session.wrongLogin, the same for an unknown name and a wrong password, or request.tooManyTries
 */
export async function signInAdmin(
  ctx: Writing & { passwords: PasswordGuard },
  { username, password, address }: { username: string; password: string; address: string },
): Promise<OpenedSession> {
  const admin = await ctx.db
    .selectFrom('admins')
    .selectAll()
    .where('username_key', '=', nameKey(username))
    .executeTakeFirst();
  const attempt = { username, password, address, hash: admin?.password_hash };
  await checkPassword(ctx.passwords, attempt);
  if (!admin) throw new DomainError('session.wrongLogin');
  const password_hash = (await strongerHash(ctx.passwords, attempt)) ?? admin.password_hash;
  return write(ctx, async (unit) => {
    // The password may have been changed, or the admin removed, while the hash was compared.
    const same = unit.tx
      .updateTable('admins')
      .set({ password_hash })
      .where('id', '=', admin.id)
      .where('password_hash', '=', admin.password_hash);
    if ((await same.executeTakeFirst()).numUpdatedRows === 0n)
      throw new DomainError('session.wrongLogin');
    return openSession(unit, admin);
  });
}

export interface OpenedSession {
  token: string;
  username: string;
  role: AdminRole;
}

export async function openSession(
  unit: Unit,
  { id, username, role }: { id: number; username: string; role: AdminRole },
): Promise<OpenedSession> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const token_hash = hashToken(token);
  const expires = new Date(unit.at.getTime() + ADMIN_SESSION_DAYS * 86_400_000);
  const session = {
    token_hash,
    admin_id: id,
    created_at: unit.at.toISOString(),
    expires_at: expires.toISOString(),
  };
  await unit.tx.insertInto('admin_sessions').values(session).execute();
  await logActivity(
    unit,
    { role: 'admin', admin_id: id, username, admin_role: role, token_hash },
    { action: 'admin_login', details: {} },
  );
  return { token, username, role };
}

/** Deletes the session of the admin's token. */
export async function signOutAdmin(ctx: Writing, admin: Admin): Promise<void> {
  await write(ctx, async (unit) => {
    await unit.tx.deleteFrom('admin_sessions').where('token_hash', '=', admin.token_hash).execute();
    await logActivity(unit, admin, { action: 'admin_logout', details: {} });
  });
}

/** Anything else is no key, so the database is not asked. */
const KEY_SHAPE = /^[A-Z0-9-]{1,40}$/;

const WHY_REVOKED = {
  left: 'session.leftGuild',
  traded: 'session.characterTraded',
  deleted: 'session.characterDeleted',
} as const satisfies { [R in RevokedBecause]: ErrorCode };

/** How a call with a revoked key is refused. */
export const revokedCode = ({ revoked_because: why }: Pick<AccessKey, 'revoked_because'>) =>
  why === null ? ('session.keyRevoked' as const) : WHY_REVOKED[why];

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
  if (row.is_revoked) throw new DomainError(revokedCode(row));
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
    .select('revoked_because')
    // Not an outer join: with a bound value, SQLite would compile the statement each time.
    .select((key) =>
      key
        .selectFrom('bans')
        .select('bans.created_at')
        .whereRef('bans.character_key', '=', 'access_keys.character_key')
        .as('banned_at'),
    )
    .where('key_value', '=', bound('key_value'))
    .compile(),
);

const keyStateQuery = (db: Db) =>
  db
    .selectFrom('access_keys')
    .select(['id', 'character_name', 'member_type', 'is_revoked', 'revoked_because'])
    .select((key) =>
      key
        .selectFrom('bans')
        .select('bans.created_at')
        .whereRef('bans.character_key', '=', 'access_keys.character_key')
        .as('banned_at'),
    );

/** The current state of keys, without deleted ones. */
export const keyStates = (
  db: Db,
  ids: readonly number[],
): Promise<Awaited<ReturnType<ReturnType<typeof keyStateQuery>['execute']>>> =>
  readByIds(ids, (some) => keyStateQuery(db).where('id', 'in', some).execute());

/**
 * The admin who holds this token.
 * @throws DomainError session.expired
 */
export const adminOfToken = (db: Db, token: string, now: Date): Promise<Admin> =>
  adminOfSession(db, hashToken(token), now);

/** @throws DomainError session.expired */
export async function adminOfSession(db: Db | Tx, token_hash: string, now: Date): Promise<Admin> {
  const row = await db
    .selectFrom('admin_sessions')
    .innerJoin('admins', 'admins.id', 'admin_sessions.admin_id')
    .select(['admins.id', 'admins.username', 'admins.role', 'expires_at'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst();
  if (!row || row.expires_at <= now.toISOString()) throw new DomainError('session.expired');
  return {
    role: 'admin',
    admin_id: row.id,
    username: row.username,
    admin_role: row.role,
    token_hash,
  };
}

/** Which of these token hashes have an open session, with the admin's role. */
export async function liveAdminSessions(
  db: Db,
  token_hashes: readonly string[],
  now: Date,
): Promise<Map<string, AdminRole>> {
  const rows = await db
    .selectFrom('admin_sessions')
    .innerJoin('admins', 'admins.id', 'admin_sessions.admin_id')
    .select(['token_hash', 'role'])
    .where('token_hash', 'in', token_hashes)
    .where('expires_at', '>', now.toISOString())
    .execute();
  return new Map(rows.map(({ token_hash, role }) => [token_hash, role]));
}

/** Whether an admin still has the password that the first start generated and printed. */
export async function hasGeneratedPassword(db: Db, admin_id: number): Promise<boolean> {
  const admin = await db
    .selectFrom('admins')
    .select('has_generated_password')
    .where('id', '=', admin_id)
    .executeTakeFirst();
  return admin?.has_generated_password === 1;
}

/** Tokens are long and random, so a fast hash is enough. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Expired sessions, for a job that deletes them. Until then they open nothing: `adminOfSession` compares the time. */
export const expiredSessions = {
  kind: 'session.forget',
  table: 'admin_sessions',
  column: 'expires_at',
  key: 'token_hash',
  kept_days: 0,
} as const;
