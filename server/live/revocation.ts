import type { ActivityAction } from '../../shared/activity-actions.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import { liveAdminSessions, standingOfKeys } from '../auth/queries.ts';
import type { Context } from '../context.ts';
import type { StoredChangeSet } from '../db/change-set.ts';
import { refusalOf } from '../http/refusals.ts';
import { characterRoom, keyRoom, socketsIn } from './admission.ts';
import type { LiveServer, LiveSocket } from './live-server.ts';

/** Ends the connections of keys that were revoked or deleted and of characters that were banned, at once and with the reason. */
export function endLostKeys(io: LiveServer, set: StoredChangeSet): void {
  for (const { change } of set.changes) {
    if (change.op === 'put' && change.kind === 'access_key' && change.record.is_revoked) {
      end(io, keyRoom(change.record.id), 'session.keyRevoked');
    }
    if (change.op === 'put' && change.kind === 'access_key') reconnectRetyped(io, change.record);
    if (change.op === 'remove' && change.kind === 'access_key' && typeof change.id === 'number') {
      end(io, keyRoom(change.id), 'session.invalidKey');
    }
    if (change.op === 'put' && change.kind === 'verified_code' && change.record.banned) {
      end(io, characterRoom(nameKey(change.record.character_name)), 'session.banned');
    }
  }
}

/** A key that stands for another member type now: its holders connect anew, and ask what it stands for. */
function reconnectRetyped(io: LiveServer, { id, member_type }: Pick<AccessKey, 'id' | 'member_type'>): void {
  for (const socket of socketsIn(io, keyRoom(id))) {
    const { caller } = socket.data;
    if (caller.role === 'member' && caller.member_type !== member_type) socket.disconnect(true);
  }
}

type LostBy = 'session.keyRevoked' | 'session.invalidKey' | 'session.banned';

function end(io: LiveServer, room: string, code: LostBy): void {
  io.to(room).emit('ended', refusalOf(code));
  io.in(room).disconnectSockets(true);
}

/** What names none of what it changed may have ended keys: which ones, the database knows. */
export const mayEndMembers = (set: StoredChangeSet): boolean => set.changes.some(({ change }) => change.op === 'reset');

/** Ends the connections of whoever is no member any more, and lets those connect anew whose key stands for another member type. */
export async function endLostMembers({ db }: Pick<Context, 'db'>, io: LiveServer): Promise<void> {
  const members = [...io.sockets.sockets.values()].flatMap(({ data: { caller } }) => (caller.role === 'member' ? [caller] : []));
  const known = new Map(members.map((member) => [member.access_key_id, member]));
  const standing = new Map((await standingOfKeys(db, [...known.keys()])).map((key) => [key.id, key]));
  for (const { access_key_id, character_key } of known.values()) {
    const key = standing.get(access_key_id);
    if (!key) end(io, keyRoom(access_key_id), 'session.invalidKey');
    else if (key.banned_at !== null) end(io, characterRoom(character_key), 'session.banned');
    else if (key.is_revoked) end(io, keyRoom(access_key_id), 'session.keyRevoked');
    else reconnectRetyped(io, key);
  }
}

/** At once for those who are admins no more, or others than they were; a role that changed ends no session: they connect anew, and ask what it is. */
export function endLostAccounts(io: LiveServer, set: StoredChangeSet): void {
  for (const { change } of set.changes) {
    if (change.op !== 'put' || change.kind !== 'activity') continue;
    const { action, details } = change.record;
    if (action !== 'admin_removed' && action !== 'admin_role_changed') continue;
    for (const socket of adminsNamed(io, String(details.username))) {
      if (action === 'admin_removed') socket.emit('ended', refusalOf('session.expired'));
      socket.disconnect(true);
    }
  }
}

function adminsNamed(io: LiveServer, username: string): LiveSocket[] {
  const key = nameKey(username);
  return [...io.sockets.sockets.values()].filter(({ data: { caller } }) => caller.role === 'admin' && nameKey(caller.username) === key);
}

/** What ends sessions of admins: which ones, the database knows. */
const ENDS_ADMINS: ReadonlySet<string> = new Set<ActivityAction>(['admin_logout', 'admin_removed', 'admin_password_changed']);

export const mayEndAdmins = (set: StoredChangeSet): boolean =>
  set.changes.some(({ change }) => change.op === 'put' && change.kind === 'activity' && ENDS_ADMINS.has(change.record.action));

/** Ends the connections of admins whose session is over (signed out, removed, given another password, or expired), or whose role is another one. */
export async function endLostAdmins({ db, now }: Pick<Context, 'db' | 'now'>, io: LiveServer): Promise<void> {
  const admins = [...io.sockets.sockets.values()].flatMap((socket) => {
    const { caller } = socket.data;
    return caller.role === 'admin' ? [{ socket, caller }] : [];
  });
  if (admins.length === 0) return;
  const tokens = [...new Set(admins.map(({ caller }) => caller.token_hash))];
  const live = await liveAdminSessions(db, tokens, now());
  for (const { socket, caller } of admins) {
    const role = live.get(caller.token_hash);
    if (role === caller.admin_role) continue;
    // Whose role is another one connects anew, and asks what it is; the session goes on.
    if (role === undefined) socket.emit('ended', refusalOf('session.expired'));
    socket.disconnect(true);
  }
}
