import { randomBytes } from 'node:crypto';
import { TOKEN_BYTES } from '../../shared/credentials.ts';
import { DomainError, existing } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { AdminRole } from '../../shared/rules/roles.ts';
import {
  type AdminAccount,
  INVITATION_DAYS,
  type Invitation,
  type InvitationInput,
  type InvitationShown,
  MAX_ADMINS,
  MAX_INVITATIONS,
  type NewInvitation,
} from '../../shared/schemas/admin.ts';
import type { Db, Tx } from '../db/database.ts';
import { type Unit, type Writing, write } from '../db/unit-of-work.ts';
import type { Admin } from '../http/caller.ts';
import { type Actor, logActivity } from './activity-log.ts';
import {
  checkPassword,
  hashInQueue,
  type PasswordGuard,
  refuseCommonPassword,
} from './passwords.ts';
import { hashToken, type OpenedSession, openSession } from './sessions.ts';

export interface Account {
  id: number;
  username: string;
  role: AdminRole;
}

/** All admins, the oldest first. */
export const listAdmins = (db: Db): Promise<AdminAccount[]> =>
  db.selectFrom('admins').select(['id', 'username', 'role', 'created_at']).orderBy('id').execute();

export function findAdmin(
  db: Db | Tx,
  by: { name: string } | { id: number },
): Promise<Account | undefined> {
  const found = db.selectFrom('admins').select(['id', 'username', 'role']);
  return (
    'id' in by ? found.where('id', '=', by.id) : found.where('username_key', '=', nameKey(by.name))
  ).executeTakeFirst();
}

/** @throws DomainError admin.nameExists or admin.tooMany */
export async function insertAdmin(
  unit: Unit,
  by: Actor,
  { username, role, password_hash }: { username: string; role: AdminRole; password_hash: string },
): Promise<Account> {
  const { tx, at } = unit;
  if (await findAdmin(tx, { name: username }))
    throw new DomainError('admin.nameExists', { name: username });
  await assertRoom(tx);
  const row = {
    username,
    username_key: nameKey(username),
    password_hash,
    role,
    created_at: at.toISOString(),
  };
  const { id } = await tx
    .insertInto('admins')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.deleteFrom('invitations').where('username_key', '=', row.username_key).execute();
  await logActivity(unit, by, { action: 'admin_added', details: { username, role } });
  return { id, username, role };
}

/** @throws DomainError admin.tooMany */
async function assertRoom(tx: Tx): Promise<void> {
  const { admins } = await tx
    .selectFrom('admins')
    .select(({ fn }) => fn.countAll<number>().as('admins'))
    .executeTakeFirstOrThrow();
  if (admins >= MAX_ADMINS) throw new DomainError('admin.tooMany', { max: MAX_ADMINS });
}

/**
 * Removes an admin with all sessions. Their entries in the activity log stay.
 * @throws DomainError admin.lastOwner
 */
export async function deleteAdmin(unit: Unit, by: Actor, account: Account): Promise<void> {
  const { tx } = unit;
  await assertOwnerStays(tx, account);
  await tx.deleteFrom('admins').where('id', '=', account.id).execute();
  await withdrawInvitationsOf(tx, account);
  await logActivity(unit, by, {
    action: 'admin_removed',
    details: { username: account.username },
  });
}

/**
 * Changes an admin's role, in open sessions too.
 * @throws DomainError admin.lastOwner
 */
export async function changeRole(
  unit: Unit,
  by: Actor,
  { account, role }: { account: Account; role: AdminRole },
): Promise<void> {
  const { tx } = unit;
  if (account.role === role) return;
  await assertOwnerStays(tx, account);
  await tx.updateTable('admins').set({ role }).where('id', '=', account.id).execute();
  await withdrawInvitationsOf(tx, account);
  const changed = { role: { from: account.role, to: role } };
  await logActivity(unit, by, {
    action: 'admin_role_changed',
    details: { username: account.username, changed },
  });
}

/** Sets another password; all of the admin's sessions and open invitations end. */
export async function changePassword(
  unit: Unit,
  by: Actor,
  { account, password_hash }: { account: Account; password_hash: string },
): Promise<void> {
  const { tx } = unit;
  const { id, username } = account;
  await tx
    .updateTable('admins')
    .set({ password_hash, has_generated_password: 0 })
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('admin_sessions').where('admin_id', '=', id).execute();
  await withdrawInvitationsOf(tx, account);
  await logActivity(unit, by, { action: 'admin_password_changed', details: { username } });
}

async function assertOwnerStays(tx: Tx, { id, username, role }: Account): Promise<void> {
  if (role !== 'owner') return;
  const other = await tx
    .selectFrom('admins')
    .select('id')
    .where('role', '=', 'owner')
    .where('id', '!=', id)
    .executeTakeFirst();
  if (!other) throw new DomainError('admin.lastOwner', { name: username });
}

/** Deletes an admin's open invitations: neither a stolen session nor a former owner may leave a link behind. */
async function withdrawInvitationsOf(tx: Tx, { username }: Account): Promise<void> {
  await tx.deleteFrom('invitations').where('created_by_username', '=', username).execute();
}

/** @throws DomainError admin.notFound or admin.lastOwner */
export function setRole(
  ctx: Writing,
  by: Admin,
  { id, role }: { id: number; role: AdminRole },
): Promise<Account> {
  return write(ctx, async (unit) => {
    const account = existing(await findAdmin(unit.tx, { id }), 'admin.notFound');
    await changeRole(unit, by, { account, role });
    return { ...account, role };
  });
}

/** @throws DomainError admin.notFound or admin.lastOwner */
export function removeAdmin(ctx: Writing, by: Admin, id: number): Promise<void> {
  return write(ctx, async (unit) => {
    await deleteAdmin(unit, by, existing(await findAdmin(unit.tx, { id }), 'admin.notFound'));
  });
}

/**
 * Changes the admin's own password, which ends all their sessions and open invitations. If the password is reset while the new one is
 * hashed, the reset stays and this change is refused.
 * @throws DomainError admin.wrongPassword, admin.passwordCommon, session.passwordChanged or request.tooManyTries
 */
export async function changeOwnPassword(
  ctx: Writing & { passwords: PasswordGuard },
  by: Admin,
  {
    current_password,
    new_password,
    address,
  }: { current_password: string; new_password: string; address: string },
): Promise<void> {
  refuseCommonPassword(new_password);
  const hash = await hashOf(ctx.db, by.admin_id);
  await checkPassword(ctx.passwords, {
    username: by.username,
    password: current_password,
    address,
    hash,
  }).catch((error: unknown) => {
    // Not session.wrongLogin: the session is still open.
    throw error instanceof DomainError && error.code === 'session.wrongLogin'
      ? new DomainError('admin.wrongPassword')
      : error;
  });
  const password_hash = await hashInQueue(
    ctx.passwords,
    { address, name: nameKey(by.username) },
    new_password,
  );
  try {
    await write(ctx, async (unit) => {
      const account = await findAdmin(unit.tx, { id: by.admin_id });
      if (!account || (await hashOf(unit.tx, by.admin_id)) !== hash)
        throw new DomainError('session.expired');
      await changePassword(unit, by, { account, password_hash });
    });
  } catch (error) {
    // Either a reset ended the session, or only the hash differs because a sign-in stored a stronger one.
    const isOver = error instanceof DomainError && error.code === 'session.expired';
    const now = isOver ? await hashOf(ctx.db, by.admin_id) : undefined;
    throw now !== undefined && now !== hash ? new DomainError('session.passwordChanged') : error;
  }
}

const hashOf = async (db: Db | Tx, id: number): Promise<string | undefined> =>
  (await db.selectFrom('admins').select('password_hash').where('id', '=', id).executeTakeFirst())
    ?.password_hash;

const DAY_MS = 86_400_000;

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
export function invite(
  ctx: Writing,
  by: Admin,
  { username, role }: InvitationInput,
): Promise<NewInvitation> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = ctx.now();
  const created_at = now.toISOString();
  const expires_at = new Date(now.getTime() + INVITATION_DAYS * DAY_MS).toISOString();
  const row = { username, role, created_by_username: by.username, created_at, expires_at };
  return write(ctx, async (unit) => {
    const { tx } = unit;
    if (await findAdmin(tx, { name: username }))
      throw new DomainError('admin.nameExists', { name: username });
    await assertRoom(tx);
    await tx.deleteFrom('invitations').where('username_key', '=', nameKey(username)).execute();
    const { open } = await tx
      .selectFrom('invitations')
      .where('expires_at', '>', created_at)
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .executeTakeFirstOrThrow();
    if (open >= MAX_INVITATIONS)
      throw new DomainError('invitation.tooMany', { max: MAX_INVITATIONS });
    const stored = { ...row, username_key: nameKey(username), token_hash: hashToken(token) };
    const { id } = await tx
      .insertInto('invitations')
      .values(stored)
      .returning('id')
      .executeTakeFirstOrThrow();
    await logActivity(unit, by, { action: 'admin_invited', details: { username, role } });
    return { id, ...row, token };
  });
}

/** Expired invitations, for a job that deletes them. Until then they open nothing: `invitationOf` compares the time. */
export const expiredInvitations = {
  kind: 'invitation.forget',
  table: 'invitations',
  column: 'expires_at',
  key: 'id',
  kept_days: 0,
} as const;

/** @throws DomainError invitation.notFound */
export function withdrawInvitation(ctx: Writing, by: Admin, id: number): Promise<void> {
  return write(ctx, async (unit) => {
    const deleted = unit.tx
      .deleteFrom('invitations')
      .where('id', '=', id)
      .returning(['username', 'role']);
    const details = existing(await deleted.executeTakeFirst(), 'invitation.notFound');
    await logActivity(unit, by, { action: 'admin_invitation_withdrawn', details });
  });
}

/** @throws DomainError invitation.notFound if it was used or withdrawn, has expired or never existed */
export async function invitationOf(db: Db, token: string, now: Date): Promise<InvitationShown> {
  const found = db
    .selectFrom('invitations')
    .select(['username', 'role', 'expires_at'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', now.toISOString());
  return existing(await found.executeTakeFirst(), 'invitation.notFound');
}

/**
 * Creates the invited admin with the password they chose, and signs them in. An invitation works once.
 * @throws DomainError invitation.notFound, admin.nameExists, admin.tooMany or admin.passwordCommon
 */
export async function acceptInvitation(
  ctx: Writing & { passwords: PasswordGuard },
  { token, password, address }: { token: string; password: string; address: string },
): Promise<OpenedSession> {
  // Before hashing, which is expensive.
  await invitationOf(ctx.db, token, ctx.now());
  refuseCommonPassword(password);
  const password_hash = await hashInQueue(ctx.passwords, { address, name: '' }, password);
  return write(ctx, async (unit) => {
    const used = unit.tx
      .deleteFrom('invitations')
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', unit.at.toISOString())
      .returning(['username', 'role']);
    const { username, role } = existing(await used.executeTakeFirst(), 'invitation.notFound');
    const account = { username, role, password_hash };
    return openSession(unit, await insertAdmin(unit, { role: 'visitor' }, account));
  });
}
