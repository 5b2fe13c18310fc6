import type { IncomingMessage } from 'node:http';
import { DomainError } from '../../shared/errors.ts';
import type { Env } from '../env.ts';
import { addressOf } from '../limits/address.ts';
import type { WrongTries } from '../limits/wrong-tries.ts';

/**
 * Counts a link's token that leads nowhere against the address it came from. Tokens are too long to be guessed, so right ones are
 * never refused; this only keeps guessing from costing much.
 * @throws DomainError request.tooManyTries instead of the caller's own refusal, once there were too many
 */
export async function countWrongToken({ wrongKeys, env }: { wrongKeys: WrongTries; env: Env }, req: IncomingMessage): Promise<void> {
  const seconds = await wrongKeys.count(JSON.stringify(['token', addressOf(req, env)]));
  if (seconds !== null) throw new DomainError('request.tooManyTries', { seconds });
}
