import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { type Capability, isCapability } from '../../shared/rules/roles.ts';
import { onBehalfOf, type QueueCaller, type WriteQueue } from '../db/write-queue.ts';
import type { Env } from '../env.ts';
import {
  type Admin,
  type Authenticator,
  type Credentials,
  type KeyHolder,
  type Reader,
  requireCapability,
  type Visitor,
} from './caller.ts';
import { addressOf } from './client-address.ts';
import { refusedInput } from './errors.ts';
import { readBody, readUpload } from './request-body.ts';

/** The context of the router itself; operations get more. */
export interface RouterContext {
  env: Pick<Env, 'BOARD_VISIBILITY' | 'TRUST_PROXY'>;
  /** Bounds how many callers of writes are looked up at once. */
  writes: Pick<WriteQueue, 'admit'>;
  authenticator: Authenticator;
}

export type RouteContext<C> = C & RouterContext;

/**
 * `open`: no credential is read. `reader`: anyone who may see the board. `member`: a member, for their own character. `actor`: a member,
 * or for any character an admin with the capability `claims`. Otherwise an admin with this capability (`shared/rules/roles.ts`).
 */
export type Access = 'open' | 'reader' | 'member' | 'actor' | Capability;

/** A call of the API. `C` is the context that its operation needs; a `Route` without it can be described but not served. */
export interface Route<C = never> {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  access: Access;
  summary: string;
  params: z.ZodType;
  query: z.ZodType;
  body: z.ZodType;
  /** The body is a multipart form that may hold a file. */
  upload: boolean;
  /** Authenticated callers may send up to `MAX_SUBMISSION_BYTES`. */
  largeBody: boolean;
  /** The shape of `data`, or of the whole answer of a bare route. */
  answer: z.ZodType;
  status: 200 | 201;
  /** Answers without `{ success, data }` around it, as three calls are documented. */
  bare: boolean;
  handler: (ctx: RouteContext<C>) => RequestHandler;
}

export interface Call<P, Q, B, A extends Access, C> {
  ctx: C;
  params: P;
  query: Q;
  body: B;
  file: Buffer | null;
  caller: CallerOf<A>;
  req: Request;
  res: Response;
}

interface RouteInput<P, Q, B, R, A extends Access, C> {
  method: Route['method'];
  path: string;
  access: A;
  summary: string;
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  upload?: boolean;
  largeBody?: boolean;
  /** The current ETag for a caller, if it is known without a query: a request that names it gets a 304 at once. */
  etag?: (ctx: C, caller: Reader) => string | undefined;
  answer: z.ZodType<R>;
  status?: 200 | 201;
  bare?: boolean;
}

const nothing = z.object({});
/** The answer of calls without data, such as deletions. */
export const noAnswer = z.undefined();
/** Cacheable by the browser, but revalidated every time. */
export const REVALIDATE = 'private, no-cache';
/** A handler returns this when it has sent the response itself. */
export const SENT = Symbol('sent');

/**
 * @returns a function that declares a call of the API: its permission, the shapes of its input and answer, and the operation behind it.
 * `C` names what the operations of a `routes.ts` need of the context.
 */
export const routeFor =
  <C>() =>
  <R, A extends Access, P = unknown, Q = unknown, B = unknown>(
    input: RouteInput<P, Q, B, R, A, C>,
    operation: (call: Call<P, Q, B, A, RouteContext<C>>) => Promise<R | typeof SENT>,
  ): Route<C> => {
    const params: z.ZodType = input.params ?? nothing;
    const query: z.ZodType = input.query ?? nothing;
    const body: z.ZodType = input.body ?? z.unknown();
    const { status = 200, bare = false, upload = false, largeBody = false, access } = input;
    const taken = {
      params: input.params ?? z.custom<P>(),
      query: input.query ?? z.custom<Q>(),
      body: input.body ?? z.custom<B>(),
    };
    return {
      ...input,
      params,
      query,
      body,
      upload,
      largeBody,
      status,
      bare,
      handler: (ctx) => async (req, res) => {
        const isActing = access === 'member' || access === 'actor';
        // A key in the body counts before a credential in a header, so a refused header is only an error once the body was read.
        const early = await callerOrRefusal(() => callerInHeaders(ctx, req, access), isActing);
        if (!isActing) admitted(ctx, access, early.caller);
        // `no-cache` asks caches to check with us. Our ETags are always current, so it is no reason to send the same answer again.
        if (input.etag) delete req.headers['cache-control'];
        const etag = input.etag?.(ctx, early.caller);
        if (etag !== undefined && isUnchanged(req, res, etag)) return;
        const params = parsed(taken.params, req.params);
        const query = parsed(taken.query, req.query);
        // Only now: no stranger may make the server hold a body.
        const isLarge = early.caller.role !== 'visitor' && (upload || largeBody);
        const file = upload ? await readUpload(req, res) : null;
        if (input.body && !upload) await readBody(req, res, isLarge ? 'large' : 'small');
        const body = parsed(taken.body, req.body ?? {});
        const body_key = isActing ? bodyKeyOf(body) : null;
        if (body_key === null && early.refused) throw early.refused;
        const credentials = { ...credentialsOf(req), body_key };
        const found =
          body_key === null
            ? early.caller
            : await ctx.writes.admit(() =>
                ctx.authenticator.authenticate(credentials, addressOf(req, ctx.env)),
              );
        const caller = admitted(ctx, access, found);
        const queueCaller = {
          name: callerName(ctx, found, req),
          gone: () => res.closed,
          ...authorization(ctx, access, found),
        };
        const data = await onBehalfOf(queueCaller, () =>
          operation({ ctx, req, res, caller, params, query, body, file }),
        );
        if (data === SENT) return;
        if (bare) res.status(status).json(data);
        else
          res.status(status).json(data === undefined ? { success: true } : { success: true, data });
      },
    };
  };

/** Answers 304 if the caller has the current version, with the headers that caches update. */
function isUnchanged(req: Request, res: Response, etag: string): boolean {
  res.set('ETag', etag);
  if (!req.fresh) {
    res.removeHeader('ETag');
    return false;
  }
  res.status(304).set('Cache-Control', REVALIDATE).vary('Accept-Encoding').end();
  return true;
}

export function mount<C>(router: Router, ctx: RouteContext<C>, routes: readonly Route<C>[]): void {
  for (const each of routes) router[each.method](each.path, each.handler(ctx));
}

/** Names the caller in the write queue. A whole guild may share one address, so addresses count for visitors only. */
export function callerName({ env }: RouterContext, caller: AnyCaller, req: Request): string {
  if (caller.role === 'admin') return `admin ${caller.admin_id}`;
  return caller.role === 'member'
    ? `key ${caller.access_key_id}`
    : `address ${addressOf(req, env)}`;
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusedInput(result.error.issues);
}

type CallerOf<A extends Access> = A extends Capability
  ? Admin
  : { open: Visitor; reader: Reader; member: KeyHolder; actor: Admin | KeyHolder }[Exclude<
      A,
      Capability
    >];

type AnyCaller = Admin | KeyHolder | Visitor;

/** @throws DomainError session.required, session.adminOnly, session.notAllowed or key.required */
function admitted<A extends Access>(ctx: RouterContext, access: A, caller: AnyCaller): CallerOf<A>;
function admitted({ env }: RouterContext, access: Access, caller: AnyCaller): AnyCaller {
  if (access === 'open' || (access === 'reader' && env.BOARD_VISIBILITY === 'public'))
    return caller;
  if (caller.role === 'visitor') throw new DomainError('session.required');
  if (access === 'reader') return caller;
  if (access === 'member' || access === 'actor') {
    if (caller.role === 'member') return caller;
    if (access === 'member') throw new DomainError('key.required');
    return requireCapability(caller, 'claims');
  }
  if (caller.role !== 'admin') throw new DomainError('session.adminOnly');
  return requireCapability(caller, access);
}

/** Authenticates an admin again in each write. Operations look members' keys up themselves, for their current type. */
function authorization(
  { authenticator }: RouterContext,
  access: Access,
  caller: AnyCaller,
): Pick<QueueCaller, 'authorize'> {
  if (caller.role !== 'admin') return {};
  const capability = isCapability(access) ? access : 'claims';
  return { authorize: (tx) => authenticator.authorizeAgain(tx, caller, capability) };
}

async function callerInHeaders(
  { authenticator, env }: RouterContext,
  req: Request,
  access: Access,
): Promise<AnyCaller> {
  if (access === 'open') return { role: 'visitor' };
  return authenticator.authenticate({ ...credentialsOf(req), body_key: null }, addressOf(req, env));
}

/** The caller, or with `keepRefusal` a visitor and why the credential was refused. */
async function callerOrRefusal(
  authenticated: () => Promise<AnyCaller>,
  keepRefusal: boolean,
): Promise<{ caller: AnyCaller; refused: DomainError | null }> {
  try {
    return { caller: await authenticated(), refused: null };
  } catch (error) {
    if (keepRefusal && error instanceof DomainError)
      return { caller: { role: 'visitor' }, refused: error };
    throw error;
  }
}

/** The credentials in a request's headers: an admin's bearer token, a member's access key, or neither. */
function credentialsOf({
  headers,
}: Pick<IncomingMessage, 'headers'>): Omit<Credentials, 'body_key'> {
  const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const key = headers['x-access-key'];
  return { token: token ?? null, key: typeof key === 'string' && key !== '' ? key : null };
}

/** The access key in a body. An admin submission is always made with the bearer token, even if a key comes with it. */
function bodyKeyOf(body: unknown): string | null {
  if (
    !(body instanceof Object) ||
    !('access_key' in body) ||
    ('admin_submission' in body && body.admin_submission)
  )
    return null;
  return typeof body.access_key === 'string' && body.access_key !== '' ? body.access_key : null;
}
