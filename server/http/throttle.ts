import type { Request } from 'express';
import { DomainError } from '../../shared/errors.ts';
import type { Tries } from '../limits/tries.ts';
import { addressOf } from './address.ts';

/** Wrong keys of one address in a stretch of time before the next are told to wait. */
const WRONG_KEYS = 30;

/**
 * Counts a key that was found wrong against its address. A right key is never refused for the wrong ones beside it;
 * what keeps keys from being guessed is their length, and this keeps guessing from costing much.
 * @throws DomainError request.tooManyTries instead of the caller's own refusal, once there were too many
 */
export function countWrongKey({ wrongKeys }: { wrongKeys: Tries }, req: Request): void {
  const { tries, seconds } = wrongKeys.count(addressOf(req));
  if (tries > WRONG_KEYS) throw new DomainError('request.tooManyTries', { seconds });
}
