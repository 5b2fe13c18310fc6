import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { type Capability, isCapability } from '../../shared/rules/roles.ts';
import type { Admin, Caller, KeyHolder, Visitor } from '../auth/callers.ts';
import { adminWho, authorizeAgain } from '../auth/may.ts';
import { authenticate } from '../auth/who-asks.ts';
import type { Context } from '../context.ts';
import { type Asker, onBehalfOf } from '../db/write-queue.ts';
import { type Role, roleOf } from '../live/role.ts';
import { readBody } from './body.ts';
import { allowTime } from './body-time.ts';
import { bodyKeyOf, credentialsOf } from './credentials.ts';
import { refusedInput } from './errors.ts';
import { matchesEtag, sendNotModified } from './etag.ts';
import { addressOf } from './limits/address.ts';
import { readUpload } from './upload.ts';

/**
 * `open`: no credential is read. `reader`: whoever may see the board. `member`: a member, for their own character. `actor`: that, or an
 * admin whose role may do `claims`, for any character. Otherwise an admin whose role may do this (`shared/rules/roles.ts`).
 */
export type Access = 'open' | 'reader' | 'member' | 'actor' | Capability;

export interface Route {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  access: Access;
  summary: string;
  params: z.ZodType;
  query: z.ZodType;
  body: z.ZodType;
  /** The body is a multipart form that may hold a file. */
  upload: boolean;
  /** Whether whoever shows a credential that holds may send much at once. */
  largeBody: boolean;
  /** Its answers are kept ready, packed and not. */
  keptReady: boolean;
  /** The current ETag for callers of a role, where it is known without a query: a request that names it gets a 304. */
  etag?: ((ctx: Context, role: Role) => string | undefined) | undefined;
  /** What `data` holds, or the whole answer of a bare one. */
  answer: z.ZodType;
  status: 200 | 201;
  /** Answers without the `{ success, data }` around it, as three calls are documented. */
  bare: boolean;
  handler: (ctx: Context) => RequestHandler;
}

export interface Call<P, Q, B, A extends Access> {
  ctx: Context;
  params: P;
  query: Q;
  body: B;
  /** The file of an upload; null without one. */
  file: Buffer | null;
  caller: CallerOf<A>;
  req: Request;
  res: Response;
}

interface RouteInput<P, Q, B, R, A extends Access> {
  method: Route['method'];
  path: string;
  access: A;
  summary: string;
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  upload?: boolean;
  largeBody?: boolean;
  keptReady?: boolean;
  etag?: Route['etag'];
  answer: z.ZodType<R>;
  status?: 200 | 201;
  bare?: boolean;
}

const nothing = z.object({});
/** The answer of a deletion and of whatever else has nothing to tell. */
export const noAnswer = z.undefined();
/** A handler answers this when it has sent the response itself. */
export const SENT = Symbol('sent');

/** One call of the API: who may make it, the shapes of what goes in and out, and the operation behind it. */
export function route<R, A extends Access, P = unknown, Q = unknown, B = unknown>(
  input: RouteInput<P, Q, B, R, A>,
  operation: (call: Call<P, Q, B, A>) => Promise<R | typeof SENT>,
): Route {
  const params: z.ZodType = input.params ?? nothing;
  const query: z.ZodType = input.query ?? nothing;
  const body: z.ZodType = input.body ?? z.unknown();
  const { status = 200, bare = false, upload = false, largeBody = false, keptReady = false } = input;
  const taken = { params: input.params ?? z.custom<P>(), query: input.query ?? z.custom<Q>(), body: input.body ?? z.custom<B>() };
  return {
    ...input,
    params,
    query,
    body,
    upload,
    largeBody,
    keptReady,
    status,
    bare,
    handler: (ctx) => async (req, res) => {
      const { access } = input;
      const isActing = access === 'member' || access === 'actor';
      // A key in the body counts before a credential in a header, so a refused header is only an error once the body was read.
      const early = await settled(() => callerInHeaders(ctx, req, access), isActing);
      if (!isActing) admitted(ctx, access, early.caller);
      const etag = input.etag?.(ctx, roleOf(early.caller));
      if (etag !== undefined && matchesEtag(req, etag)) return sendNotModified(res, etag);
      const [params, query] = [parsed(taken.params, req.params), parsed(taken.query, req.query)];
      // Only now: nobody makes us hold a body before it is known who sends it, and where to.
      const isLarge = early.caller.role !== 'visitor' && (upload || largeBody);
      if (isLarge) allowTime(req);
      const file = upload ? await readUpload(req, res) : null;
      if (input.body && !upload) await readBody(req, res, isLarge ? 'large' : 'small');
      const body = parsed(taken.body, req.body ?? {});
      const body_key = isActing ? bodyKeyOf(body) : null;
      if (body_key === null && early.refused) throw early.refused;
      const credentials = { ...credentialsOf(req), body_key };
      const found =
        body_key === null ? early.caller : await ctx.writes.admit(() => authenticate(ctx, credentials, addressOf(req, ctx.env)));
      const caller = admitted(ctx, access, found);
      const asker = { name: askerOf(ctx, found, req), gone: () => res.closed, ...authorization(ctx, access, found) };
      const data = await onBehalfOf(asker, () => operation({ ctx, req, res, caller, params, query, body, file }));
      if (data === SENT) return;
      if (bare) res.status(status).json(data);
      else res.status(status).json(data === undefined ? { success: true } : { success: true, data });
    },
  };
}

/** Who waits in the queue of writes. A whole guild may sit behind one address, so that counts for visitors only. */
export function askerOf({ env }: Pick<Context, 'env'>, caller: AnyCaller, req: Request): string {
  if (caller.role === 'admin') return `admin ${caller.admin_id}`;
  return caller.role === 'member' ? `key ${caller.access_key_id}` : `address ${addressOf(req, env)}`;
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusedInput(result.error.issues);
}

type CallerOf<A extends Access> = A extends Capability
  ? Admin
  : { open: Visitor; reader: Caller; member: KeyHolder; actor: Admin | KeyHolder }[Exclude<A, Capability>];

type AnyCaller = Admin | KeyHolder | Visitor;

/** @throws DomainError session.required, session.adminOnly, session.notAllowed or key.required */
function admitted<A extends Access>(ctx: Pick<Context, 'env'>, access: A, caller: AnyCaller): CallerOf<A>;
function admitted({ env }: Pick<Context, 'env'>, access: Access, caller: AnyCaller): AnyCaller {
  if (access === 'open' || (access === 'reader' && env.BOARD_VISIBILITY === 'public')) return caller;
  if (caller.role === 'visitor') throw new DomainError('session.required');
  if (access === 'reader') return caller;
  if (access === 'member' || access === 'actor') {
    if (caller.role === 'member') return caller;
    if (access === 'member') throw new DomainError('key.required');
    return adminWho(caller, 'claims');
  }
  if (caller.role !== 'admin') throw new DomainError('session.adminOnly');
  return adminWho(caller, access);
}

/** Authenticates an admin again in each write. Operations look members' keys up themselves, for what the keys now stand for. */
function authorization({ now }: Pick<Context, 'now'>, access: Access, caller: AnyCaller): Pick<Asker, 'authorize'> {
  if (caller.role !== 'admin') return {};
  const capability = isCapability(access) ? access : 'claims';
  return { authorize: (tx) => authorizeAgain(tx, caller, capability, now()) };
}

async function callerInHeaders(ctx: Context, req: Request, access: Access): Promise<AnyCaller> {
  if (access === 'open') return { role: 'visitor' };
  return authenticate(ctx, { ...credentialsOf(req), body_key: null }, addressOf(req, ctx.env));
}

/** The caller, or with `keepRefusal` a visitor and why the credential was refused. */
async function settled(
  authenticated: () => Promise<AnyCaller>,
  keepRefusal: boolean,
): Promise<{ caller: AnyCaller; refused: DomainError | null }> {
  try {
    return { caller: await authenticated(), refused: null };
  } catch (error) {
    if (keepRefusal && error instanceof DomainError) return { caller: { role: 'visitor' }, refused: error };
    throw error;
  }
}

export function mount(router: Router, ctx: Context, routes: readonly Route[]): void {
  for (const each of routes) router[each.method](each.path, each.handler(ctx));
}
