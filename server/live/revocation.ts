import type { ActivityAction } from '../../shared/activity-actions.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import { liveAdminSessions, standingOfKeys } from '../auth/sessions.ts';
import type { Db } from '../db/database.ts';
import type { StoredChangeSet } from '../db/unit-of-work.ts';
import { refusalOf } from '../http/errors.ts';
import { characterRoom, keyRoom, socketsIn } from './admission.ts';
import type { ChangeBus } from './bus.ts';
import { type FailureLog, type LiveServer, type LiveSocket, logFailure } from './live-server.ts';

export interface Revoking extends FailureLog {
  bus: Pick<ChangeBus, 'listen'>;
  db: Db;
  now: () => Date;
}

/**
 * Disconnects sockets whose credential ends (revoked, deleted, banned, signed out), with the reason, and those whose member type or
 * role changed, without one: they reconnect as what they are now.
 * @returns a function that looks for expired sessions and repeats what failed; to be called every few seconds
 */
export function disconnectRevoked(ctx: Revoking, io: LiveServer): () => void {
  let mustCheckMembers = false;
  const checkMembers = (): void => {
    mustCheckMembers = false;
    disconnectFormerMembers(ctx, io).catch((error: unknown) => {
      mustCheckMembers = true;
      logFailure(ctx, error, 'those who lost their keys could not be disconnected');
    });
  };
  const checkAdmins = (): void => {
    disconnectFormerAdmins(ctx, io).catch((error: unknown) => logFailure(ctx, error, 'signed-out admins could not be disconnected'));
  };
  ctx.bus.listen((set) => {
    disconnectChangedKeys(io, set);
    disconnectChangedAccounts(io, set);
    if (mayEndKeys(set)) checkMembers();
    if (mayEndSessions(set)) checkAdmins();
  });
  return () => {
    checkAdmins();
    if (mustCheckMembers) checkMembers();
  };
}

function disconnectChangedKeys(io: LiveServer, set: StoredChangeSet): void {
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

/** The key's member type changed: its holders reconnect and authenticate again. */
function reconnectRetyped(io: LiveServer, { id, member_type }: Pick<AccessKey, 'id' | 'member_type'>): void {
  for (const socket of socketsIn(io, keyRoom(id))) {
    const { caller } = socket.data;
    if (caller.role === 'member' && caller.member_type !== member_type) socket.disconnect(true);
  }
}

type EndReason = 'session.keyRevoked' | 'session.invalidKey' | 'session.banned';

function end(io: LiveServer, room: string, code: EndReason): void {
  io.to(room).emit('ended', refusalOf(code));
  io.in(room).disconnectSockets(true);
}

/** A reset does not name what changed, so keys may have ended. */
const mayEndKeys = (set: StoredChangeSet): boolean => set.changes.some(({ change }) => change.op === 'reset');

async function disconnectFormerMembers({ db }: Pick<Revoking, 'db'>, io: LiveServer): Promise<void> {
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

/** Admin accounts are not records; the activity log says what happened to them. */
function disconnectChangedAccounts(io: LiveServer, set: StoredChangeSet): void {
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

const ENDS_SESSIONS: ReadonlySet<string> = new Set<ActivityAction>(['admin_logout', 'admin_removed', 'admin_password_changed']);

const mayEndSessions = (set: StoredChangeSet): boolean =>
  set.changes.some(({ change }) => change.op === 'put' && change.kind === 'activity' && ENDS_SESSIONS.has(change.record.action));

async function disconnectFormerAdmins({ db, now }: Pick<Revoking, 'db' | 'now'>, io: LiveServer): Promise<void> {
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
    // Only the role changed: the session goes on, and the client reconnects with it.
    if (role === undefined) socket.emit('ended', refusalOf('session.expired'));
    socket.disconnect(true);
  }
}
