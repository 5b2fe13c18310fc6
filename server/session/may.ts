import { DomainError } from '../../shared/errors.ts';
import { type Capability, may } from '../../shared/rules/roles.ts';
import type { Admin } from './callers.ts';

/**
 * The admin, if the role may do this.
 * @throws DomainError session.notAllowed
 */
export function adminWho(admin: Admin, capability: Capability): Admin {
  if (!may(admin.admin_role, capability)) throw new DomainError('session.notAllowed');
  return admin;
}
