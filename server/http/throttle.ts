import type { Request } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';

/** Wrong tries within a window before the next is refused, and the window in milliseconds. */
const WRONG_LOGINS = 10;
const WRONG_KEYS = 30;
const WINDOW_MS = 5 * 60_000;

const address = (req: Request): string => ipKeyGenerator(req.ip ?? '');

const usernameIn = (req: Request): string | null => {
  const username: unknown = req.body?.username;
  return typeof username === 'string' ? username : null;
};

const tooManyTries = (_req: Request, res: { get: (header: string) => string | undefined }, next: (error: DomainError) => void): void =>
  next(new DomainError('request.tooManyTries', { seconds: Number(res.get('Retry-After') ?? 60) }));

/**
 * Slows the guessing of an admin's password: counted per name and address, so that nobody locks the real admin
 * out from elsewhere. Only wrong tries count.
 */
export const throttleLogins = () =>
  rateLimit({
    windowMs: WINDOW_MS,
    limit: WRONG_LOGINS,
    skipSuccessfulRequests: true,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (req) => `${nameKey(usernameIn(req) ?? '')}|${address(req)}`,
    handler: tooManyTries,
    // A key is throttled by throttleKeys, which never refuses a right one: a whole guild may share one address.
    skip: (req) => usernameIn(req) === null,
  });

/**
 * Slows the guessing of access keys from one address. To be asked only after a key was found wrong.
 */
export const throttleKeys = () =>
  rateLimit({
    windowMs: WINDOW_MS,
    limit: WRONG_KEYS,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: address,
    handler: tooManyTries,
  });
