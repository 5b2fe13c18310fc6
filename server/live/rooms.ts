import { ROOMS, type Room } from '../../shared/kinds.ts';
import { may } from '../../shared/rules/roles.ts';
import type { Caller } from '../http/caller.ts';

/** Who is told what. */
export type Role = Room;
export const ROLES: readonly Role[] = ROOMS;

export function roleOf(caller: Caller): Role {
  if (caller.role !== 'admin') return 'members';
  return may(caller.admin_role, 'guild') ? 'admins' : 'viewers';
}
