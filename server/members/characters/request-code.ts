import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { PendingCode } from '../../../shared/schemas/character.ts';
import { recordActivity } from '../../activity/record.ts';
import { hashToken } from '../../auth/hash-token.ts';
import { write } from '../../db/unit-of-work.ts';
import type { CodeRequests } from '../../http/limits/code-requests.ts';
import { english } from '../../http/refusals.ts';
import type { Writing } from '../../jobs/writing.ts';
import { putRecords } from './changes.ts';
import { newCode, newVerificationToken } from './code.ts';
import { isBanned } from './queries.ts';
import { makeRoom } from './room-for-codes.ts';

const VALID_HOURS = 24;
const HOUR_MS = 3_600_000;

interface Requesting extends Writing {
  codeRequests: CodeRequests;
}

/**
 * Begins a verification. Several people may hold codes for one name. The character is not looked up now: that
 * would fill the source's cache with the comment as it is without the code. That somebody began is logged once a
 * name and hour of the clock.
 * @throws DomainError session.banned; verification.tooManyCodes when others hold all codes that a name may have;
 * request.tooManyTries when this address wanted too many within a minute
 */
export async function requestCode(ctx: Requesting, character_name: string, address_hash: string): Promise<PendingCode> {
  const character_key = nameKey(character_name);
  // Before the write: each is a durable one, and moves the clock of every watcher.
  ctx.codeRequests.admit({ address_hash, character_key });
  const code = newCode();
  const verification_token = newVerificationToken();
  const now = ctx.now();
  const expires_at = new Date(now.getTime() + VALID_HOURS * HOUR_MS).toISOString();
  return write(ctx, async (tx, changes) => {
    if (await isBanned(tx, character_key)) throw new DomainError('session.banned');
    const { is_told } = await makeRoom(tx, changes, { character_key, character_name, address_hash, now });
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
    await putRecords(tx, changes, [id]);
    if (!is_told) await recordActivity(ctx, tx, changes, { role: 'visitor' }, 'verification_started', { character_name });
    const how = ctx.env.CHARACTER_CHECK === 'manual' ? 'verification.instructionsManual' : 'verification.instructions';
    const instructions = english.t(how, { code, name: character_name, hours: VALID_HOURS });
    return { code, expiresAt: expires_at, instructions, verification_token };
  });
}
