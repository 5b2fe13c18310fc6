import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { PendingCode } from '../../shared/schemas/character.ts';
import { recordActivity } from '../activity/record.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/open.ts';
import { type ChangeRecorder, write } from '../db/write.ts';
import { hashToken } from '../http/credentials.ts';
import { english } from '../http/errors.ts';
import { putCharacter } from './changes.ts';
import { newCode, newVerificationToken } from './code.ts';
import { isBanned } from './queries.ts';

const VALID_HOURS = 24;
const HOUR_MS = 3_600_000;
/** A code that was never found is forgotten when the browser's cookie is: ten days after it was made. */
const KEPT_HOURS = 10 * 24;

/**
 * Begins a verification. Several people may hold codes for one name. The character is not looked up now: that
 * would fill the source's cache with the comment as it is without the code.
 * @throws DomainError session.banned
 */
export function requestCode(ctx: Context, character_name: string): Promise<PendingCode> {
  const code = newCode();
  const verification_token = newVerificationToken();
  const character_key = nameKey(character_name);
  const now = ctx.now();
  const expires_at = new Date(now.getTime() + VALID_HOURS * HOUR_MS).toISOString();
  return write(ctx, async (tx, changes) => {
    if (await isBanned(tx, character_key)) throw new DomainError('session.banned');
    await forgetOldCodes(tx, changes, new Date(now.getTime() - KEPT_HOURS * HOUR_MS).toISOString());
    await tx
      .insertInto('verifications')
      .values({
        character_name,
        character_key,
        code,
        token_hash: hashToken(verification_token),
        created_at: now.toISOString(),
        expires_at,
        verified_at: null,
      })
      .execute();
    await putCharacter(tx, changes, character_key);
    await recordActivity(ctx, tx, changes, { role: 'visitor' }, 'verification_started', { character_name });
    const how = ctx.env.CHARACTER_CHECK === 'manual' ? 'verification.instructionsManual' : 'verification.instructions';
    const instructions = english.t(how, { code, name: character_name, hours: VALID_HOURS });
    return { code, expiresAt: expires_at, instructions, verification_token };
  });
}

async function forgetOldCodes(tx: Tx, changes: ChangeRecorder, made_before: string): Promise<void> {
  const gone = await tx
    .deleteFrom('verifications')
    .where('verified_at', 'is', null)
    .where('code', 'is not', null)
    .where('created_at', '<', made_before)
    // The last record of a banned character shows the ban.
    .where('character_key', 'not in', tx.selectFrom('bans').select('character_key'))
    .returning('id')
    .execute();
  for (const { id } of gone) changes.remove('verified_code', id);
}
