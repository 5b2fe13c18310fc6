import type { AdminRole } from '../../shared/rules/roles.ts';

export interface Admin {
  role: 'admin';
  admin_id: number;
  username: string;
  admin_role: AdminRole;
  token_hash: string;
}
export interface Member {
  role: 'member';
  access_key_id: number;
  character_name: string;
  character_key: string;
  member_type: string;
}
/** A request without a credential. */
export interface Visitor {
  role: 'visitor';
}
export type Caller = Admin | Member | Visitor;

/** A member and the key they showed, so that a write can look the key up again in its transaction. */
export interface KeyHolder extends Member {
  access_key: string;
}
/** Who claims, waits or confirms: an admin for any character, or a member for their own. */
export type Principal = Admin | Pick<KeyHolder, 'role' | 'access_key'>;
