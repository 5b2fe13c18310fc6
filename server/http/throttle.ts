import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Context } from '../context.ts';
import { hashToken } from './credentials.ts';

/** Wrong tries within a window before the next is refused, and the window in milliseconds. */
const WRONG_LOGINS = 10;
/** From one address, whatever names are tried: each try costs a slow hash. */
const WRONG_LOGINS_OF_ADDRESS = 100;
const WRONG_KEYS = 30;
const WINDOW_MS = 5 * 60_000;

/** One person's addresses: of IPv6 they have as many as they like, so it is the network that counts. */
export const address = (req: Request): string => ipKeyGenerator(req.ip ?? '');

const usernameIn = (req: Request): string | null => {
  const username: unknown = req.body?.username;
  return typeof username === 'string' ? username : null;
};

const tooManyTries = (_req: Request, res: { get: (header: string) => string | undefined }, next: (error: DomainError) => void): void =>
  next(new DomainError('request.tooManyTries', { seconds: Number(res.get('Retry-After') ?? 60) }));

const limiter = (limit: number, keyGenerator: (req: Request) => string, options: Partial<Options> = {}): RequestHandler =>
  rateLimit({
    windowMs: WINDOW_MS,
    limit,
    keyGenerator,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    handler: tooManyTries,
    ...options,
  });

/**
 * Slows the guessing of an admin's password: counted per name and address, so that nobody locks the real admin
 * out from elsewhere, and per address, since each try costs a slow hash. Only wrong tries count.
 */
export function throttleLogins(): RequestHandler[] {
  // Keys are counted by countWrongKey, which never refuses a right one: a whole guild may share one address.
  const wrongOnes = { skipSuccessfulRequests: true, skip: (req: Request) => usernameIn(req) === null };
  return [
    limiter(WRONG_LOGINS_OF_ADDRESS, address, wrongOnes),
    // A hash, since a name may be as long as a body, and is kept for the whole window.
    limiter(WRONG_LOGINS, (req) => hashToken(`${nameKey(usernameIn(req) ?? '')}|${address(req)}`), wrongOnes),
  ];
}

const wrongKeys = new WeakMap<Context, RequestHandler>();

/**
 * Counts a key that was found wrong against its address. A right key is never refused for the wrong ones beside it;
 * what keeps keys from being guessed is their length, and this keeps guessing from costing much.
 * @throws DomainError request.tooManyTries instead of the caller's own refusal, once there were too many
 */
export async function countWrongKey(ctx: Context, req: Request, res: Response): Promise<void> {
  const count = wrongKeys.get(ctx) ?? limiter(WRONG_KEYS, address);
  wrongKeys.set(ctx, count);
  await new Promise<void>((resolve, reject) => {
    void count(req, res, (refusal?: unknown) => (refusal ? reject(refusal) : resolve()));
  });
}
