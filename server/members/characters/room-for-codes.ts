import { DomainError } from '../../../shared/errors.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';

/** Codes that nobody has found yet: of one address for one name, of one name, and of one address for all names. */
export const CODES_OF_ADDRESS_FOR_NAME = 5;
export const CODES_OF_NAME = 50;
export const CODES_OF_ADDRESS = 200;
/** Records that one write forgets at most. */
const FORGOTTEN_AT_ONCE = 100;
/** Verified records that are kept of a character. */
export const VERIFIED_KEPT = 20;

const HOUR_MS = 3_600_000;

export interface CodeWanted {
  character_key: string;
  character_name: string;
  address_hash: string;
  now: Date;
}

/**
 * Makes room for one more code. An address that has its share gives up its own oldest, never another's, or a
 * stranger could push a member's code out; a whole guild behind one address is refused nothing.
 * @returns whether the log has said within this hour of the clock that somebody began with this name, or enough of this address
 * @throws DomainError verification.tooManyCodes when the name has all it may have, none of this address
 */
export async function makeRoom(tx: Tx, changes: ChangeRecorder, wanted: CodeWanted): Promise<{ is_told: boolean }> {
  const now = wanted.now.toISOString();
  const hour = new Date(Math.floor(wanted.now.getTime() / HOUR_MS) * HOUR_MS).toISOString();
  const records = await tx
    .selectFrom('verifications')
    .select(['id', 'address_hash', 'created_at', 'expires_at', 'verified_at'])
    .where('character_key', '=', wanted.character_key)
    .where('code', 'is not', null)
    .orderBy('id')
    .execute();
  const open = records.filter((record) => record.verified_at === null);
  const own = open.filter((record) => record.address_hash === wanted.address_hash);
  const expired = open.filter(({ expires_at }) => expires_at !== null && expires_at <= now);
  if (own.length >= CODES_OF_ADDRESS_FOR_NAME) await forgetRecords(tx, changes, own.slice(0, 1));
  else if (open.length >= CODES_OF_NAME && expired.length > 0) {
    await forgetRecords(tx, changes, expired.slice(0, Math.min(open.length - CODES_OF_NAME + 1, FORGOTTEN_AT_ONCE)));
  } else if (open.length >= CODES_OF_NAME && own.length > 0) await forgetRecords(tx, changes, own.slice(0, 1));
  else if (open.length >= CODES_OF_NAME) throw tooMany(wanted, open);

  const of_address = await tx
    .selectFrom('verifications')
    .select(['id', 'created_at'])
    .where('address_hash', '=', wanted.address_hash)
    .orderBy('id')
    .limit(CODES_OF_ADDRESS)
    .execute();
  const oldest = of_address.length >= CODES_OF_ADDRESS ? of_address.slice(0, 1) : [];
  await forgetRecords(tx, changes, oldest);
  return { is_told: [...records, ...oldest].some((record) => record.created_at >= hour) };
}

function tooMany({ character_name, now }: CodeWanted, open: readonly { expires_at: string | null }[]): DomainError {
  const ends = open.map(({ expires_at }) => (expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at)));
  const seconds = Math.max(1, Math.ceil((Math.min(...ends) - now.getTime()) / 1_000));
  return new DomainError('verification.tooManyCodes', { character_name, seconds, hours: Math.ceil(seconds / 3_600) });
}

/** Keeps the newest of a character's verified records, and those that were verified now, whose browsers come for their key. */
export async function forgetOldVerifications(
  tx: Tx,
  changes: ChangeRecorder,
  character_key: string,
  verified_now: readonly number[],
): Promise<void> {
  const old = await tx
    .selectFrom('verifications')
    .select('id')
    .where('character_key', '=', character_key)
    .where('verified_at', 'is not', null)
    .where('id', 'not in', verified_now)
    .orderBy('id', 'desc')
    .offset(Math.max(0, VERIFIED_KEPT - verified_now.length))
    .limit(FORGOTTEN_AT_ONCE)
    .execute();
  await forgetRecords(tx, changes, old);
}

export async function forgetRecords(tx: Tx, changes: ChangeRecorder, records: readonly { id: number }[]): Promise<void> {
  const ids = records.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.deleteFrom('verifications').where('id', 'in', ids).execute();
  for (const id of ids) changes.remove('verified_code', id);
}
