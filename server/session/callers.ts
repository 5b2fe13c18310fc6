import type { DomainError } from '../../shared/errors.ts';
import type { AdminRole } from '../../shared/rules/roles.ts';

export interface Admin {
  role: 'admin';
  admin_id: number;
  username: string;
  admin_role: AdminRole;
  token_hash: string;
  refused?: undefined;
}
export interface Member {
  role: 'member';
  access_key_id: number;
  character_name: string;
  character_key: string;
  member_type: string;
  refused?: undefined;
}
export interface Visitor {
  role: 'visitor';
  /** Why the credential that came along does not hold. Calls that are open to anybody ignore it. */
  refused?: DomainError;
}
export type Caller = Admin | Member | Visitor;
