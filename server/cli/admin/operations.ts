import { ADMIN_NAME, tidyName } from '../../../shared/rules/names.ts';
import type { AdminRole } from '../../../shared/rules/roles.ts';
import type { AdminAccount } from '../../../shared/schemas/admin.ts';
import {
  MAX_SECRET_LENGTH,
  MAX_USERNAME_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '../../../shared/schemas/session.ts';
import {
  type Account,
  changePassword,
  changeRole,
  deleteAdmin,
  findAdmin,
  insertAdmin,
} from '../../auth/admins.ts';
import { hashPassword, isCommonPassword, type ScryptCost } from '../../auth/passwords.ts';
import type { Db, Reading, Tx } from '../../db/database.ts';
import { StartError } from '../../db/errors.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';

/** The actor in the activity log. */
export const COMMAND_LINE = { role: 'command_line' } as const;

interface NewPassword {
  password: string;
  /** By default the server's. */
  cost?: ScryptCost | undefined;
}

/** All admins, the oldest first, with the number of their sessions. */
export function listAdminsWithSessions(
  ctx: Reading,
): Promise<(Omit<AdminAccount, 'id'> & { sessions: number })[]> {
  return ctx.db
    .selectFrom('admins')
    .leftJoin('admin_sessions', (join) =>
      join
        .onRef('admin_sessions.admin_id', '=', 'admins.id')
        .on('expires_at', '>', ctx.now().toISOString()),
    )
    .select((all) => [
      'username',
      'role',
      'admins.created_at',
      all.fn.count<number>('token_hash').as('sessions'),
    ])
    .groupBy(['admins.id', 'username', 'role', 'admins.created_at'])
    .orderBy('admins.id')
    .execute();
}

/** @throws StartError for an invalid name or password; DomainError admin.nameExists or admin.tooMany */
export async function addAdmin(
  ctx: Writing,
  name: string,
  { password, role = 'admin', cost }: NewPassword & { role?: AdminRole },
): Promise<string> {
  const username = tidyName(name);
  if (username.length === 0 || username.length > MAX_USERNAME_LENGTH) {
    throw new StartError(`An admin's name has 1 to ${MAX_USERNAME_LENGTH} characters.`);
  }
  if (!ADMIN_NAME.test(username))
    throw new StartError("An admin's name has Latin letters, digits and common punctuation.");
  const password_hash = await hashPassword(assertValidPassword(password), cost);
  return write(ctx, async (unit) => {
    await insertAdmin(unit, COMMAND_LINE, { username, role, password_hash });
    return username;
  });
}

/**
 * Removes an admin and ends their sessions. Their entries in the activity log stay.
 * @throws StartError for an unknown name; DomainError admin.lastOwner
 */
export function removeAdminByName(ctx: Writing, name: string): Promise<string> {
  return write(ctx, async (unit) => {
    const account = await accountNamed(unit.tx, name);
    await deleteAdmin(unit, COMMAND_LINE, account);
    return account.username;
  });
}

/**
 * Changes an admin's role, also in their sessions.
 * @throws StartError for an unknown name; DomainError admin.lastOwner
 */
export function setRoleByName(ctx: Writing, name: string, role: AdminRole): Promise<string> {
  return write(ctx, async (unit) => {
    const account = await accountNamed(unit.tx, name);
    await changeRole(unit, COMMAND_LINE, { account, role });
    return account.username;
  });
}

/**
 * Changes an admin's password and ends their sessions.
 * @throws StartError for an unknown name
 */
export async function setPassword(
  ctx: Writing,
  name: string,
  { password, cost }: NewPassword,
): Promise<string> {
  const password_hash = await hashPassword(assertValidPassword(password), cost);
  return write(ctx, async (unit) => {
    const account = await accountNamed(unit.tx, name);
    await changePassword(unit, COMMAND_LINE, { account, password_hash });
    return account.username;
  });
}

/** @throws StartError for an unknown name */
export async function assertAdminExists(ctx: Reading, name: string): Promise<void> {
  await accountNamed(ctx.db, name);
}

async function accountNamed(db: Db | Tx, name: string): Promise<Account> {
  const admin = await findAdmin(db, { name });
  if (!admin) throw new StartError(`There is no admin named ${tidyName(name)}.`);
  return admin;
}

function assertValidPassword(password: string): string {
  if (password.length < MIN_PASSWORD_LENGTH)
    throw new StartError(`The password must have at least ${MIN_PASSWORD_LENGTH} characters.`);
  if (password.length > MAX_SECRET_LENGTH)
    throw new StartError(`The password can have at most ${MAX_SECRET_LENGTH} characters.`);
  if (isCommonPassword(password))
    throw new StartError('This password is among the 10,000 most common ones. Choose another.');
  return password;
}
