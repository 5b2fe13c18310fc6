import { hash } from 'node:crypto';
import type { Request } from 'express';
import { DomainError } from '../../shared/errors.ts';
import type { Context } from '../context.ts';
import type { Db, Tx } from '../db/open.ts';

export interface Admin {
  role: 'admin';
  admin_id: number;
  username: string;
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

/** What a key may be at all; a database need not be asked about anything else. */
const KEY_SHAPE = /^[A-Z0-9-]{1,40}$/;

/** Tokens are random and long, so a plain hash keeps them as safe as a slow one would. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * The member whose key this is.
 * @throws DomainError session.invalidKey, session.keyRevoked or session.banned
 */
export async function memberOfKey(db: Db | Tx, key: string): Promise<Member> {
  const key_value = key.trim().toUpperCase();
  if (!KEY_SHAPE.test(key_value)) throw new DomainError('session.invalidKey');
  const row = await db
    .selectFrom('access_keys')
    .leftJoin('bans', 'bans.character_key', 'access_keys.character_key')
    .select([
      'access_keys.id',
      'access_keys.character_name',
      'access_keys.character_key',
      'member_type',
      'is_revoked',
      'bans.created_at as banned_at',
    ])
    .where('key_value', '=', key_value)
    .executeTakeFirst();
  if (!row) throw new DomainError('session.invalidKey');
  if (row.banned_at !== null) throw new DomainError('session.banned');
  if (row.is_revoked) throw new DomainError('session.keyRevoked');
  return {
    role: 'member',
    access_key_id: row.id,
    character_name: row.character_name,
    character_key: row.character_key,
    member_type: row.member_type,
  };
}

/**
 * The admin who holds this token.
 * @throws DomainError session.expired
 */
export async function adminOfToken(db: Db, token: string, now: Date): Promise<Admin> {
  const token_hash = hashToken(token);
  const row = await db
    .selectFrom('admin_sessions')
    .innerJoin('admins', 'admins.id', 'admin_sessions.admin_id')
    .select(['admins.id', 'admins.username', 'expires_at'])
    .where('token_hash', '=', token_hash)
    .executeTakeFirst();
  if (!row || row.expires_at <= now.toISOString()) throw new DomainError('session.expired');
  return { role: 'admin', admin_id: row.id, username: row.username, token_hash };
}

/** Those of some admins' tokens, as hashes, whose sessions still hold. */
export async function liveAdminSessions(db: Db, token_hashes: readonly string[], now: Date): Promise<Set<string>> {
  const rows = await db
    .selectFrom('admin_sessions')
    .select('token_hash')
    .where('token_hash', 'in', token_hashes)
    .where('expires_at', '>', now.toISOString())
    .execute();
  return new Set(rows.map(({ token_hash }) => token_hash));
}

/** Who a credential stands for; a refused one makes a visitor who knows why. */
async function look(ctx: Context, token: string | null, key: string | null): Promise<Caller> {
  try {
    if (token !== null) return await adminOfToken(ctx.db, token, ctx.now());
    if (key !== null) return await memberOfKey(ctx.db, key);
    return { role: 'visitor' };
  } catch (error) {
    if (error instanceof DomainError) return { role: 'visitor', refused: error };
    throw error;
  }
}

interface Remembered {
  epoch: string;
  clock: number;
  members: Map<string, Caller>;
}
const remembered = new WeakMap<Context, Remembered>();

/**
 * Members are remembered until the clock moves: whatever ends a key moves it. So the refresh of an unchanged
 * board, many a second in a large guild, asks the database nothing.
 */
async function memberOrVisitor(ctx: Context, key: string): Promise<Caller> {
  const { epoch } = ctx.bus;
  const clock = ctx.bus.clock();
  let cache = remembered.get(ctx);
  if (cache?.clock !== clock || cache.epoch !== epoch) {
    cache = { epoch, clock, members: new Map() };
    remembered.set(ctx, cache);
  }
  const key_hash = hashToken(key);
  const known = cache.members.get(key_hash);
  if (known) return known;
  const caller = await look(ctx, null, key);
  if (caller.role === 'member') cache.members.set(key_hash, caller);
  return caller;
}

function bearerToken(req: Request): string | null {
  const [, token] = /^Bearer (\S+)$/i.exec(req.get('authorization') ?? '') ?? [];
  return token ?? null;
}

/** Who makes this request: an admin by bearer token, a member by access key, or a visitor. */
export async function callerOf(ctx: Context, req: Request): Promise<Caller> {
  const token = bearerToken(req);
  const key = req.get('x-access-key');
  if (token === null && key) return memberOrVisitor(ctx, key);
  return look(ctx, token, null);
}

/** Who opens a live connection. */
export function callerOfHandshake(
  ctx: Context,
  auth: { access_key?: string | undefined; admin_token?: string | undefined },
): Promise<Caller> {
  if (!auth.admin_token && auth.access_key) return memberOrVisitor(ctx, auth.access_key);
  return look(ctx, auth.admin_token || null, null);
}
