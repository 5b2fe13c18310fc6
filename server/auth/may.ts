import { DomainError } from '../../shared/errors.ts';
import { type Capability, may } from '../../shared/rules/roles.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Admin } from './callers.ts';
import { adminOfSession } from './queries.ts';

/**
 * The admin, if the role may do this.
 * @throws DomainError session.notAllowed
 */
export function adminWho(admin: Admin, capability: Capability): Admin {
  if (!may(admin.admin_role, capability)) throw new DomainError('session.notAllowed');
  return admin;
}

/**
 * Whether an admin's session is still open and their role may still do this.
 * @throws DomainError session.expired or session.notAllowed
 */
export async function authorizeAgain(
  db: Db | Tx,
  { token_hash }: Pick<Admin, 'token_hash'>,
  capability: Capability,
  now: Date,
): Promise<void> {
  adminWho(await adminOfSession(db, token_hash, now), capability);
}
