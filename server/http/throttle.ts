import type { Request } from 'express';
import { DomainError } from '../../shared/errors.ts';
import type { Context } from '../context.ts';
import { addressOf } from './address.ts';
import { createTries, type Tries } from './tries.ts';

/** Wrong keys of one address in a stretch of time before the next are told to wait. */
const WRONG_KEYS = 30;
/** The stretch, in milliseconds. */
export const WRONG_TRIES_WINDOW_MS = 5 * 60_000;
/** Addresses that are remembered for their wrong tries. */
export const MOST_REMEMBERED = 10_000;

const wrongKeys = new WeakMap<Context, Tries>();

/**
 * Counts a key that was found wrong against its address. A right key is never refused for the wrong ones beside it;
 * what keeps keys from being guessed is their length, and this keeps guessing from costing much.
 * @throws DomainError request.tooManyTries instead of the caller's own refusal, once there were too many
 */
export function countWrongKey(ctx: Context, req: Request): void {
  const known = wrongKeys.get(ctx) ?? createTries({ window_ms: WRONG_TRIES_WINDOW_MS, most: MOST_REMEMBERED });
  wrongKeys.set(ctx, known);
  const { tries, seconds } = known.count(addressOf(req));
  if (tries > WRONG_KEYS) throw new DomainError('request.tooManyTries', { seconds });
}
