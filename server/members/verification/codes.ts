import { randomBytes, randomInt } from 'node:crypto';
import {
  READABLE_ALPHABET as ALPHABET,
  TOKEN_BYTES,
  VERIFICATION_CODE,
} from '../../../shared/credentials.ts';
import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { PendingCode } from '../../../shared/schemas/character.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { hashToken } from '../../auth/sessions.ts';
import { isBanned } from '../../board/records/members.ts';
import type { Reading } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import { type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import { english } from '../../http/errors.ts';
import { countCodeRequests } from '../../http/rate-limits.ts';
import { daysBefore, deleteOldRecords } from '../../jobs/job-kind.ts';
import { putRecords } from '../records.ts';

const { prefix: PREFIX, length: CODE_LENGTH } = VERIFICATION_CODE;

/** A code such as CLAIM-7KQ2M9XA, for a character's public comment. It opens nothing without its token. */
export function newCode(): string {
  return (
    PREFIX +
    Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  );
}

/** The token with which the browser that requested a code fetches the key. */
export function newVerificationToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

const CODE_AS_A_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}])${PREFIX}[${ALPHABET}]{${CODE_LENGTH}}(?![\\p{L}\\p{N}])`,
  'giu',
);

/** All codes in a comment, in upper or lower case, as whole words. One pass, for any text that visitors write. */
export function codesIn(comment: string): Set<string> {
  return new Set(comment.match(CODE_AS_A_WORD)?.map((code) => code.toUpperCase()));
}

const VALID_HOURS = 24;
const HOUR_MS = 3_600_000;

const codeRequests = defineMemory(({ now }: Reading) => countCodeRequests(now));

/**
 * Starts a verification. Several people may hold codes for one name. The character is not looked up now: that would fill the source's
 * cache with a comment without the code. The start is logged once a name and hour.
 * @throws DomainError session.banned; verification.tooManyCodes if others hold all codes of the name;
 * request.tooManyTries if this address requested too many within a minute
 */
export async function requestCode(
  ctx: Writing,
  character_name: string,
  address_hash: string,
): Promise<PendingCode> {
  const character_key = nameKey(character_name);
  // Before the write, since each write is durable and advances every watcher's clock.
  codeRequests(ctx).admit({ address_hash, character_key });
  const code = newCode();
  const verification_token = newVerificationToken();
  const now = ctx.now();
  const expires_at = new Date(now.getTime() + VALID_HOURS * HOUR_MS).toISOString();
  return write(ctx, async (unit) => {
    const { tx } = unit;
    if (await isBanned(tx, character_key)) throw new DomainError('session.banned');
    const { is_told } = await evictOldCodes(unit, {
      character_key,
      character_name,
      address_hash,
      now,
    });
    const { id } = await tx
      .insertInto('verifications')
      .values({
        character_name,
        character_key,
        code,
        token_hash: hashToken(verification_token),
        created_at: now.toISOString(),
        expires_at,
        verified_at: null,
        address_hash,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await putRecords(unit, [id]);
    if (!is_told)
      await logActivity(
        unit,
        { role: 'visitor' },
        { action: 'verification_started', details: { character_name } },
      );
    const how =
      ctx.env.CHARACTER_CHECK === 'manual'
        ? 'verification.instructionsManual'
        : 'verification.instructions';
    const instructions = english.t(how, { code, name: character_name, hours: VALID_HOURS });
    return { code, expiresAt: expires_at, instructions, verification_token };
  });
}

/** Pending codes of one address for one name; a new one replaces the oldest. */
export const CODES_OF_ADDRESS_FOR_NAME = 5;
/** Pending codes for one name, of all addresses. */
export const CODES_OF_NAME = 50;
/** Pending codes of one address for all names; a new one replaces the oldest. */
export const CODES_OF_ADDRESS = 200;
/** Records deleted by one write at most. */
const FORGOTTEN_AT_ONCE = 100;
/** Verified records kept for a character. */
export const VERIFIED_KEPT = 20;

interface CodeWanted {
  character_key: string;
  character_name: string;
  address_hash: string;
  now: Date;
}

/**
 * Evicts codes until one more fits. An address over its limit loses its own oldest code, never another's, so that a stranger cannot
 * evict a member's code, and a guild behind one address is never refused.
 * @returns whether the log already has this name's start, or enough of this address, in this hour
 * @throws DomainError verification.tooManyCodes if the name has all its codes, none of them from this address
 */
async function evictOldCodes(unit: Unit, wanted: CodeWanted): Promise<{ is_told: boolean }> {
  const { tx } = unit;
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
  if (own.length >= CODES_OF_ADDRESS_FOR_NAME) await forgetRecords(unit, own.slice(0, 1));
  else if (open.length >= CODES_OF_NAME && expired.length > 0) {
    await forgetRecords(
      unit,
      expired.slice(0, Math.min(open.length - CODES_OF_NAME + 1, FORGOTTEN_AT_ONCE)),
    );
  } else if (open.length >= CODES_OF_NAME && own.length > 0)
    await forgetRecords(unit, own.slice(0, 1));
  else if (open.length >= CODES_OF_NAME) throw tooMany(wanted, open);

  const of_address = await tx
    .selectFrom('verifications')
    .select(['id', 'created_at'])
    .where('address_hash', '=', wanted.address_hash)
    .orderBy('id')
    .limit(CODES_OF_ADDRESS)
    .execute();
  const oldest = of_address.length >= CODES_OF_ADDRESS ? of_address.slice(0, 1) : [];
  await forgetRecords(unit, oldest);
  return { is_told: [...records, ...oldest].some((record) => record.created_at >= hour) };
}

function tooMany(
  { character_name, now }: CodeWanted,
  open: readonly { expires_at: string | null }[],
): DomainError {
  const ends = open.map(({ expires_at }) =>
    expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at),
  );
  const seconds = Math.max(1, Math.ceil((Math.min(...ends) - now.getTime()) / 1_000));
  return new DomainError('verification.tooManyCodes', {
    character_name,
    seconds,
    hours: Math.ceil(seconds / 3_600),
  });
}

/** Deletes a character's oldest verified records, but not those verified now: their browsers still fetch the key. */
export async function forgetOldVerifications(
  unit: Unit,
  { character_key, verified_now }: { character_key: string; verified_now: readonly number[] },
): Promise<void> {
  const old = await unit.tx
    .selectFrom('verifications')
    .select('id')
    .where('character_key', '=', character_key)
    .where('verified_at', 'is not', null)
    .where('id', 'not in', verified_now)
    .orderBy('id', 'desc')
    .offset(Math.max(0, VERIFIED_KEPT - verified_now.length))
    .limit(FORGOTTEN_AT_ONCE)
    .execute();
  await forgetRecords(unit, old);
}

async function forgetRecords(
  { tx, changes }: Unit,
  records: readonly { id: number }[],
): Promise<void> {
  const ids = records.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.deleteFrom('verifications').where('id', 'in', ids).execute();
  for (const id of ids) changes.remove('verified_code', id);
}

/** Pending codes are deleted when the browser's cookie expires: ten days after they were made. */
const KEPT_DAYS = 10;
/** Deletes old pending codes; they expired long before. */
export const forgetCodes = deleteOldRecords({
  kind: 'code.forget',
  old: (db, now, most) =>
    db
      .selectFrom('verifications')
      .select('id')
      .where('verified_at', 'is', null)
      .where('code', 'is not', null)
      .where('created_at', '<', daysBefore(now, KEPT_DAYS))
      // The last record of a banned character shows the ban.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('bans')
              .select('bans.character_key')
              .whereRef('bans.character_key', '=', 'verifications.character_key'),
          ),
        ),
      )
      .orderBy('created_at')
      .limit(most)
      .execute(),
  remove: forgetRecords,
});
