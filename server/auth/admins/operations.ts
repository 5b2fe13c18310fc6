import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { AdminRole } from '../../../shared/rules/roles.ts';
import type { Db, Reading, Tx } from '../../db/open.ts';
import { type WriteContext, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { checkPassword, hashInTurn, type PasswordGuard } from '../check-password.ts';
import { refuseCommonPassword } from '../common-passwords.ts';
import { type Account, changePassword, changeRole, deleteAdmin, findAdmin } from './accounts.ts';

/** @throws DomainError admin.notFound or admin.lastOwner */
export function setRole(ctx: WriteContext, by: Admin, id: number, role: AdminRole): Promise<Account> {
  return write(ctx, async (tx, changes) => {
    const account = await findAdmin(tx, { id });
    if (!account) throw new DomainError('admin.notFound');
    await changeRole([ctx, tx, changes, by], account, role);
    return { ...account, role };
  });
}

/** @throws DomainError admin.notFound or admin.lastOwner */
export function removeAdmin(ctx: WriteContext, by: Admin, id: number): Promise<void> {
  return write(ctx, async (tx, changes) => {
    const account = await findAdmin(tx, { id });
    if (!account) throw new DomainError('admin.notFound');
    await deleteAdmin([ctx, tx, changes, by], account);
  });
}

/**
 * Gives an admin the password that they choose; all of their sessions and open invitations end. Hashing takes a while, in which the
 * password may be reset: then the reset stays and this change is refused.
 * @throws DomainError admin.wrongPassword, admin.passwordCommon, session.passwordChanged or request.tooManyTries
 */
export async function changeOwnPassword(
  ctx: Reading & WriteContext & { passwords: PasswordGuard },
  by: Admin,
  { current_password, new_password, address }: { current_password: string; new_password: string; address: string },
): Promise<void> {
  refuseCommonPassword(new_password);
  const hash = await hashOf(ctx.db, by.admin_id);
  await checkPassword(ctx.passwords, { username: by.username, password: current_password, address, hash }).catch((error: unknown) => {
    // The session is still good.
    throw error instanceof DomainError && error.code === 'session.wrongLogin' ? new DomainError('admin.wrongPassword') : error;
  });
  const password_hash = await hashInTurn(ctx.passwords, { address, name: nameKey(by.username) }, new_password);
  try {
    await write(ctx, async (tx, changes) => {
      const account = await findAdmin(tx, { id: by.admin_id });
      if (!account || (await hashOf(tx, by.admin_id)) !== hash) throw new DomainError('session.expired');
      await changePassword([ctx, tx, changes, by], account, password_hash);
    });
  } catch (error) {
    // Either the session ended with the reset, or, if a login stored a stronger hash, the hash alone differs.
    const isOver = error instanceof DomainError && error.code === 'session.expired';
    const now = isOver ? await hashOf(ctx.db, by.admin_id) : undefined;
    throw now !== undefined && now !== hash ? new DomainError('session.passwordChanged') : error;
  }
}

const hashOf = async (db: Db | Tx, id: number): Promise<string | undefined> =>
  (await db.selectFrom('admins').select('password_hash').where('id', '=', id).executeTakeFirst())?.password_hash;
