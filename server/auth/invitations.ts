import { randomBytes } from 'node:crypto';
import { TOKEN_BYTES } from '../../shared/credentials.ts';
import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import {
  INVITATION_DAYS,
  type Invitation,
  type InvitationInput,
  type InvitationShown,
  MAX_INVITATIONS,
  type NewInvitation,
} from '../../shared/schemas/admin.ts';
import type { Db, Reader } from '../db/database.ts';
import { type Writer, write } from '../db/unit-of-work.ts';
import type { Admin } from '../http/caller.ts';
import { logActivity } from './activity-log.ts';
import { assertRoom, findAdmin, insertAdmin } from './admins.ts';
import { hashInQueue, type PasswordGuard, refuseCommonPassword } from './passwords.ts';
import { hashToken, type OpenedSession, openSession } from './sessions.ts';

const DAY_MS = 86_400_000;

/** Open invitations, oldest first. */
export function openInvitations(db: Db, now: Date): Promise<Invitation[]> {
  return db
    .selectFrom('invitations')
    .select(['id', 'username', 'role', 'created_by_username', 'created_at', 'expires_at'])
    .where('expires_at', '>', now.toISOString())
    .orderBy('id')
    .execute();
}

/**
 * Invites an admin by a link. A new invitation for a name replaces the old one.
 * @returns the token of the link; only its hash is stored
 * @throws DomainError admin.nameExists, admin.tooMany or invitation.tooMany
 */
export function invite(ctx: Writer, by: Admin, { username, role }: InvitationInput): Promise<NewInvitation> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = ctx.now();
  const created_at = now.toISOString();
  const expires_at = new Date(now.getTime() + INVITATION_DAYS * DAY_MS).toISOString();
  const row = { username, role, created_by_username: by.username, created_at, expires_at };
  return write(ctx, async (tx, changes) => {
    if (await findAdmin(tx, { name: username })) throw new DomainError('admin.nameExists', { name: username });
    await assertRoom(tx);
    await tx
      .deleteFrom('invitations')
      .where((of) => of.or([of('username_key', '=', nameKey(username)), of('expires_at', '<=', created_at)]))
      .execute();
    const { open } = await tx
      .selectFrom('invitations')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .executeTakeFirstOrThrow();
    if (open >= MAX_INVITATIONS) throw new DomainError('invitation.tooMany', { max: MAX_INVITATIONS });
    const stored = { ...row, username_key: nameKey(username), token_hash: hashToken(token) };
    const { id } = await tx.insertInto('invitations').values(stored).returning('id').executeTakeFirstOrThrow();
    await logActivity(changes, by, 'admin_invited', { username, role });
    return { id, ...row, token };
  });
}

/** @throws DomainError invitation.notFound */
export function withdrawInvitation(ctx: Writer, by: Admin, id: number): Promise<void> {
  return write(ctx, async (tx, changes) => {
    const gone = await tx.deleteFrom('invitations').where('id', '=', id).returning(['username', 'role']).executeTakeFirst();
    if (!gone) throw new DomainError('invitation.notFound');
    await logActivity(changes, by, 'admin_invitation_withdrawn', gone);
  });
}

/** @throws DomainError invitation.notFound if it was used or withdrawn, has expired or never existed */
export async function invitationOf(db: Db, token: string, now: Date): Promise<InvitationShown> {
  const found = await db
    .selectFrom('invitations')
    .select(['username', 'role', 'expires_at'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  if (!found) throw new DomainError('invitation.notFound');
  return found;
}

/**
 * Creates the invited admin with the password they chose, and signs them in. An invitation works once.
 * @throws DomainError invitation.notFound, admin.nameExists, admin.tooMany or admin.passwordCommon
 */
export async function acceptInvitation(
  ctx: Reader & Writer & { passwords: PasswordGuard },
  { token, password, address }: { token: string; password: string; address: string },
): Promise<OpenedSession> {
  // Before hashing, which is expensive.
  await invitationOf(ctx.db, token, ctx.now());
  refuseCommonPassword(password);
  const password_hash = await hashInQueue(ctx.passwords, { address, name: '' }, password);
  return write(ctx, async (tx, changes) => {
    const asked = await tx
      .deleteFrom('invitations')
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', ctx.now().toISOString())
      .returning(['username', 'role', 'created_by_username'])
      .executeTakeFirst();
    if (!asked) throw new DomainError('invitation.notFound');
    const { username, role } = asked;
    const account = await insertAdmin([ctx, tx, changes, { role: 'visitor' }], { username, role, password_hash });
    return openSession(ctx, tx, changes, account);
  });
}
