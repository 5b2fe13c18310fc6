import { randomBytes } from 'node:crypto';
import { TOKEN_BYTES } from '../../shared/credentials.ts';
import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { AdminRole } from '../../shared/rules/roles.ts';
import type { ChangeRecorder } from '../db/change-set.ts';
import type { Reading, Tx } from '../db/open.ts';
import { type WriteContext, write } from '../db/unit-of-work.ts';
import type { Admin } from '../http/caller.ts';
import { logActivity } from './activity-log.ts';
import { checkPassword, type PasswordGuard, strongerHash } from './check-password.ts';
import { hashToken } from './hash-token.ts';

/** How long an admin stays signed in, in days. */
const ADMIN_SESSION_DAYS = 30;

/**
 * Signs an admin in.
 * @returns the token for the Authorization header; only its hash is stored
 * @throws DomainError session.wrongLogin, the same for an unknown name and a wrong password, or request.tooManyTries
 */
export async function signInAdmin(
  ctx: Reading & WriteContext & { passwords: PasswordGuard },
  { username, password, address }: { username: string; password: string; address: string },
): Promise<OpenedSession> {
  const admin = await ctx.db.selectFrom('admins').selectAll().where('username_key', '=', nameKey(username)).executeTakeFirst();
  const attempt = { username, password, address, hash: admin?.password_hash };
  await checkPassword(ctx.passwords, attempt);
  if (!admin) throw new DomainError('session.wrongLogin');
  const password_hash = (await strongerHash(ctx.passwords, attempt)) ?? admin.password_hash;
  return write(ctx, async (tx, changes) => {
    // The password may have been changed, or the admin removed, while the hash was compared.
    const same = tx
      .updateTable('admins')
      .set({ password_hash })
      .where('id', '=', admin.id)
      .where('password_hash', '=', admin.password_hash);
    if ((await same.executeTakeFirst()).numUpdatedRows === 0n) throw new DomainError('session.wrongLogin');
    return openSession(ctx, tx, changes, admin);
  });
}

/** A session that was just opened, with its token. */
export interface OpenedSession {
  token: string;
  username: string;
  role: AdminRole;
}

/** Opens a session of an admin who has shown who they are. */
export async function openSession(
  ctx: Pick<WriteContext, 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  { id, username, role }: { id: number; username: string; role: AdminRole },
): Promise<OpenedSession> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const token_hash = hashToken(token);
  const now = ctx.now();
  const expires = new Date(now.getTime() + ADMIN_SESSION_DAYS * 86_400_000);
  const session = { token_hash, admin_id: id, created_at: now.toISOString(), expires_at: expires.toISOString() };
  await tx.insertInto('admin_sessions').values(session).execute();
  await logActivity(changes, { role: 'admin', admin_id: id, username, admin_role: role, token_hash }, 'admin_login', {});
  return { token, username, role };
}

/** Ends the token: it opens nothing from now on. */
export async function signOutAdmin(ctx: WriteContext, admin: Admin): Promise<void> {
  await write(ctx, async (tx, changes) => {
    await tx.deleteFrom('admin_sessions').where('token_hash', '=', admin.token_hash).execute();
    await logActivity(changes, admin, 'admin_logout', {});
  });
}
