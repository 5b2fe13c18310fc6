import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import type { Capability } from '../../shared/rules/roles.ts';
import type { Context } from '../context.ts';
import { knownAs, onBehalfOf } from '../db/write-queue.ts';
import type { Admin, Caller, Member } from '../session/callers.ts';
import { adminWho } from '../session/may.ts';
import { memberWhoAsks, whoAsks } from '../session/who-asks.ts';
import { addressOf } from './address.ts';
import { readBody } from './body.ts';
import { allowTime } from './body-time.ts';
import { credentialsOf } from './credentials.ts';
import { refusedInput } from './errors.ts';
import { holds, sayUnchanged } from './etag.ts';
import { countWrongKey } from './throttle.ts';
import { readUpload } from './upload.ts';

/** `open`: anybody. `reader`: whoever may see the board. Else a signed-in admin whose role may do this (`shared/rules/roles.ts`). */
export type Access = 'open' | 'reader' | Capability;

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
  /** The ETag of its newest answer, known without reading that: whoever holds it already gets a 304. */
  etag?: ((ctx: Context) => string) | undefined;
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
      const caller = admitted(ctx, input.access, await whoAsks(ctx, credentialsOf(req)), req);
      const etag = input.etag?.(ctx);
      if (etag !== undefined && holds(req, etag)) return sayUnchanged(res, etag);
      const [params, query] = [parsed(taken.params, req.params), parsed(taken.query, req.query)];
      // Only now: nobody makes us hold a body before it is known who sends it, and where to.
      const isLarge = caller.role !== 'visitor' && (upload || largeBody);
      if (isLarge) allowTime(req);
      const file = upload ? await readUpload(req, res) : null;
      if (input.body && !upload) await readBody(req, res, isLarge ? 'large' : 'small');
      const body = parsed(taken.body, req.body ?? {});
      const asker = { name: askerOf(caller, req), gone: () => res.closed };
      const data = await onBehalfOf(asker, () => operation({ ctx, req, res, caller, params, query, body, file }));
      if (data === SENT) return;
      if (bare) res.status(status).json(data);
      else res.status(status).json(data === undefined ? { success: true } : { success: true, data });
    },
  };
}

/** Who waits in the queue of writes. A whole guild may sit behind one address, so that counts for visitors only. */
function askerOf(caller: Caller, req: Request): string {
  if (caller.role === 'admin') return `admin ${caller.admin_id}`;
  return caller.role === 'member' ? `key ${caller.access_key_id}` : `address ${addressOf(req)}`;
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusedInput(result.error.issues);
}

type CallerOf<A extends Access> = A extends Capability ? Admin : Caller;

function admitted<A extends Access>(ctx: Pick<Context, 'env' | 'wrongKeys'>, access: A, caller: Caller, req: Request): CallerOf<A>;
function admitted(ctx: Pick<Context, 'env' | 'wrongKeys'>, access: Access, caller: Caller, req: Request): Caller {
  if (access === 'open') return caller;
  if (access === 'reader' && ctx.env.BOARD_VISIBILITY === 'public') return caller;
  if (caller.refused) {
    if (caller.refused.code === 'session.invalidKey') countWrongKey(ctx, req);
    throw caller.refused;
  }
  if (caller.role === 'visitor') throw new DomainError('session.required');
  if (access === 'reader') return caller;
  if (caller.role !== 'admin') throw new DomainError('session.adminOnly');
  return adminWho(caller, access);
}

/**
 * The member whose key came in a request's body; a wrong one is counted.
 * @throws DomainError session.invalidKey, session.keyRevoked, session.banned or request.tooManyTries
 */
export async function memberInBody(
  { ctx, req }: Pick<Call<unknown, unknown, unknown, 'open'>, 'ctx' | 'req'>,
  key: string,
): Promise<Member> {
  try {
    const member = await memberWhoAsks(ctx, key);
    knownAs(askerOf(member, req));
    return member;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'session.invalidKey') countWrongKey(ctx, req);
    throw error;
  }
}

export function mount(router: Router, ctx: Context, routes: readonly Route[]): void {
  for (const each of routes) router[each.method](each.path, each.handler(ctx));
}
