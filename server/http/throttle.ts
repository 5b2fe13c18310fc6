import type { IncomingMessage } from 'node:http';
import type { Env } from '../env.ts';
import { addressOf } from './limits/address.ts';
import type { WrongTries } from './limits/wrong-tries.ts';

/**
 * Counts a wrong token of a link against the address it came from. Tokens are too long to be guessed, so right ones are never
 * refused; this only keeps guessing cheap for the server.
 * @throws DomainError request.tooManyTries past the limit, instead of the caller's own refusal
 */
export const countWrongToken = ({ wrongKeys, env }: { wrongKeys: WrongTries; env: Env }, req: IncomingMessage): Promise<void> =>
  wrongKeys.count({ secret: ['token'], address: addressOf(req, env) });
