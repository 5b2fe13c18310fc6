import { DomainError } from '../../../shared/errors.ts';
import { createTries } from './tries.ts';

const WINDOW_MS = 60_000;
/** Codes for one name that an address gets in a minute. */
export const CODES_FOR_NAME = 5;
/** Codes that an address gets in a minute; beyond them it only gets first codes for other names. */
export const CODES_FROM_ADDRESS = 30;
/**
 * Names that an address gets a first code for in a minute. A guild of 200 in one hall, behind one address, must get through; a code is
 * cheap, since it is not broadcast to members.
 */
export const NAMES_FROM_ADDRESS = 240;
/** Addresses, and pairs of an address and a name, that are counted at the same time. */
const MOST_REMEMBERED = 10_000;

/** The address that a request comes from, and the character it is for. */
interface CodeRequest {
  address_hash: string;
  character_key: string;
}

export interface CodeRequests {
  /** @throws DomainError request.tooManyTries */
  admit: (request: CodeRequest) => void;
}

/** Bounds how many codes an address gets in a minute: fewest for one name, most for different names. */
export function countCodeRequests(now: () => Date): CodeRequests {
  const tries = () => createTries({ window_ms: WINDOW_MS, most: MOST_REMEMBERED, now: () => now().getTime() });
  const [ofName, namesOfAddress, ofAddress] = [tries(), tries(), tries()];
  return {
    admit: ({ address_hash, character_key }) => {
      const name = ofName.count(`${address_hash} ${character_key}`);
      const all = ofAddress.count(address_hash);
      const isFirst = name.tries === 1;
      const names = isFirst ? namesOfAddress.count(address_hash) : null;
      if (name.tries > CODES_FOR_NAME) throw new DomainError('request.tooManyTries', { seconds: name.seconds });
      if (names ? names.tries > NAMES_FROM_ADDRESS : all.tries > CODES_FROM_ADDRESS) {
        throw new DomainError('request.tooManyTries', { seconds: (names ?? all).seconds });
      }
    },
  };
}
