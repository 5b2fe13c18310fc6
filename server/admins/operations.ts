import { DomainError } from '../../shared/errors.ts';
import type { AdminRole } from '../../shared/rules/roles.ts';
import type { Reading } from '../db/open.ts';
import { type Writing, write } from '../db/write.ts';
import type { Admin } from '../session/callers.ts';
import { checkPassword, type PasswordGuard } from '../session/check-password.ts';
import { hashPassword } from '../session/passwords.ts';
import { type Account, changePassword, changeRole, deleteAdmin, findAdmin } from './accounts.ts';

/** @throws DomainError admin.notFound or admin.lastOwner */
export function setRole(ctx: Writing, by: Admin, id: number, role: AdminRole): Promise<Account> {
  return write(ctx, async (tx, changes) => {
    const account = await findAdmin(tx, { id });
    if (!account) throw new DomainError('admin.notFound');
    await changeRole([ctx, tx, changes, by], account, role);
    return { ...account, role };
  });
}

/** @throws DomainError admin.notFound or admin.lastOwner */
export function removeAdmin(ctx: Writing, by: Admin, id: number): Promise<void> {
  return write(ctx, async (tx, changes) => {
    const account = await findAdmin(tx, { id });
    if (!account) throw new DomainError('admin.notFound');
    await deleteAdmin([ctx, tx, changes, by], account);
  });
}

/**
 * Gives an admin the password that they choose; everywhere they are signed in that ends, here as well.
 * @throws DomainError admin.wrongPassword or request.tooManyTries
 */
export async function changeOwnPassword(
  ctx: Reading & Writing & { passwords: PasswordGuard },
  by: Admin,
  { current_password, new_password, address }: { current_password: string; new_password: string; address: string },
): Promise<void> {
  const row = await ctx.db.selectFrom('admins').select('password_hash').where('id', '=', by.admin_id).executeTakeFirst();
  const shown = { username: by.username, password: current_password, address, hash: row?.password_hash };
  await checkPassword(ctx.passwords, shown).catch((error: unknown) => {
    // The session holds all the same.
    throw error instanceof DomainError && error.code === 'session.wrongLogin' ? new DomainError('admin.wrongPassword') : error;
  });
  const password_hash = await ctx.passwords.turns.take({ address, name: by.username }, () => hashPassword(new_password));
  await write(ctx, async (tx, changes) => {
    const account = await findAdmin(tx, { id: by.admin_id });
    if (!account) throw new DomainError('session.expired');
    await changePassword([ctx, tx, changes, by], account, password_hash);
  });
}
