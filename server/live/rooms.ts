import type { Room } from '../../shared/kinds.ts';
import { may } from '../../shared/rules/roles.ts';
import type { Caller } from '../http/caller.ts';

/** The room of a caller's connections, which decides what they see of the board. */
export function roomOf(caller: Caller): Room {
  if (caller.role !== 'admin') return 'members';
  return may(caller.admin_role, 'guild') ? 'admins' : 'viewers';
}
