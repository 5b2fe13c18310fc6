import type { Caller } from '../session/callers.ts';

/** Who is told what: members, and visitors where the board is public, or admins. */
export type Role = 'members' | 'admins';
export const ROLES: readonly Role[] = ['members', 'admins'];
export const roleOf = (caller: Caller): Role => (caller.role === 'admin' ? 'admins' : 'members');
