import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../shared/schemas/member-type.ts';
import { recordActivity } from '../../activity/record.ts';
import { readConfig } from '../../board/config/queries.ts';
import { allMemberTypes } from '../../board/member-types/queries.ts';
import type { Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { replaceKey, storeKey } from '../access-keys/operations.ts';
import { putCharacter, putRecords } from './changes.ts';
import { isBanned, keyOfCharacter } from './queries.ts';
import { forgetOldVerifications } from './room-for-codes.ts';
import type { GameCharacter } from './tibiadata.ts';

/**
 * Marks the records whose codes were found as verified, and gives their character a key where it has none. A key
 * it has stays as it is, a revoked one revoked; but one of a character that was sold is replaced, since the seller
 * knows it. Tokens of earlier verifications bring the key to nobody any more.
 * @throws DomainError session.banned
 */
export async function storeVerification(ctx: Writing, character: GameCharacter, ids: readonly number[]): Promise<void> {
  const character_name = character.name;
  const character_key = nameKey(character_name);
  await write(ctx, async (tx, changes) => {
    if (await isBanned(tx, character_key)) throw new DomainError('session.banned');
    const now = ctx.now().toISOString();
    const verified = await tx
      .updateTable('verifications')
      .set({ verified_at: now, character_name, address_hash: null })
      .where('id', 'in', ids)
      .where('verified_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('id')
      .execute();
    // Another server on the same database may have found them a moment ago.
    if (verified.length === 0) return;
    await tx
      .updateTable('verifications')
      .set({ token_hash: null })
      .where('character_key', '=', character_key)
      .where('verified_at', 'is not', null)
      .where('id', 'not in', ids)
      .execute();
    await forgetOldVerifications(tx, changes, character_key, ids);
    const key = await keyOfCharacter(tx, character_key);
    const isReplaced = key !== null && !key.is_revoked && character.was_traded;
    const member_type = key?.member_type ?? (await earnedType(ctx, tx, character));
    if (!key) await storeKey(ctx, tx, changes, { character_name, member_type, created_by_username: null });
    else if (isReplaced) await replaceKey(ctx, tx, changes, key);
    if (key && !isReplaced) {
      await putRecords(
        tx,
        changes,
        verified.map(({ id }) => id),
      );
    } else await putCharacter(tx, changes, character_key);
    await recordActivity(ctx, tx, changes, { role: 'visitor' }, 'user_verified', {
      character_name,
      member_type,
      guild_rank: character.guild_rank,
      key: key ? (isReplaced ? 'replaced' : 'kept') : 'new',
    });
  });
}

/** The type that lists the character's rank. Ranks count in our guild only: anybody may found one and name its ranks. */
async function earnedType(ctx: Pick<Writing, 'env'>, tx: Tx, { guild_rank }: GameCharacter): Promise<string> {
  if (!guild_rank || (await readConfig(ctx, tx)).guild_name === null) return DEFAULT_MEMBER_TYPE;
  const rank = nameKey(guild_rank);
  const types = await allMemberTypes(tx);
  const earned = types.find(({ guild_ranks }) => guild_ranks.some((each) => nameKey(each) === rank));
  return earned?.member_type ?? DEFAULT_MEMBER_TYPE;
}
