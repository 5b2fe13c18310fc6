import type { Logger } from 'pino';
import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { VerificationAnswer, VerificationCheck } from '../../../shared/schemas/character.ts';
import { DEFAULT_MEMBER_TYPE, type MemberType } from '../../../shared/schemas/member-type.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { hashToken, revokedCode } from '../../auth/sessions.ts';
import { readConfig } from '../../board/records/guild.ts';
import { allMemberTypes, isBanned, keyOfCharacter } from '../../board/records/members.ts';
import type { Db, Reading, Tx } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import { type Writing, write } from '../../db/unit-of-work.ts';
import { onBehalfOfAll } from '../../db/write-queue.ts';
import { replaceKey, storeKey } from '../access-keys.ts';
import { isVerified, noteFormerMembers, putCharacter, putRecords } from '../records.ts';
import { type Sighting, sourceOf, type TurnAwaited } from './character-source.ts';
import { codesIn, forgetOldVerifications } from './codes.ts';
import type { GameCharacter } from './tibiadata.ts';

export interface VerificationContext extends Writing {
  log: Logger;
  features: readonly {
    verifying?: (ctx: Writing, character: GameCharacter) => Promise<void>;
  }[];
}

/** Looks up characters in the game's data. */
export const characterSource = defineMemory(sourceOf);

/** Verifications that are being stored now, by their characters. */
const storingFound = defineMemory(() => new Map<string, Promise<void>>());

/**
 * Looks for codes in the character's comment when the caller's address is served. Every caller triggers the look, but only the
 * browser with the token of the found code gets the key; others learn no more than `verified`.
 * @throws DomainError session.banned for everyone; for the token's holder verification.expired, session.keyRevoked, character.notFound, character.nameInvalid, character.renamed,
 * verification.deletedCharacter, verification.notInGuild
 */
export async function checkVerification(
  ctx: VerificationContext,
  { characterName, verification_token }: VerificationCheck,
  address_hash: string,
): Promise<VerificationAnswer> {
  const character_key = nameKey(characterName);
  if (await isBanned(ctx.db, character_key)) throw new DomainError('session.banned');
  const token_hash = verification_token ? hashToken(verification_token) : null;
  const before = token_hash && (await ownRecord(ctx, character_key, token_hash));
  if (before) assertValid(before, ctx.now());
  const look =
    before && before.verified_at !== null
      ? null
      : await lookForCodes(ctx, characterName, address_hash);
  const own = token_hash && (await ownRecord(ctx, character_key, token_hash));
  if (!own) {
    const verified = await isVerified(ctx.db, character_key);
    return token_hash && !verified ? notKnown(characterName) : { verified, characterName };
  }
  if (own.verified_at !== null) return answerWithKey(ctx.db, character_key, own.character_name);
  if (ctx.env.CHARACTER_CHECK === 'manual')
    return { verified: false, characterName, reason: 'verification.manual' };
  if (look && 'wait_seconds' in look) return notYet(ctx, characterName, look.wait_seconds);
  return stillPending(ctx, characterName, look);
}

interface OwnRecord {
  character_name: string;
  verified_at: string | null;
  expires_at: string | null;
}

/** The record of a token. After its code's 24 hours a token that fetched a key is no longer accepted. */
async function ownRecord(
  ctx: Reading,
  character_key: string,
  token_hash: string,
): Promise<OwnRecord | null> {
  const record = await ctx.db
    .selectFrom('verifications')
    .select(['character_name', 'verified_at', 'expires_at'])
    .where('token_hash', '=', token_hash)
    .where('character_key', '=', character_key)
    .executeTakeFirst();
  if (!record || (record.verified_at !== null && isOver(record, ctx.now()))) return null;
  return record;
}

const isOver = ({ expires_at }: Pick<OwnRecord, 'expires_at'>, now: Date): boolean =>
  expires_at !== null && expires_at <= now.toISOString();

function assertValid(record: OwnRecord, now: Date): void {
  if (record.verified_at === null && isOver(record, now))
    throw new DomainError('verification.expired');
}

async function answerWithKey(
  db: Db,
  character_key: string,
  characterName: string,
): Promise<VerificationAnswer> {
  const key = await keyOfCharacter(db, character_key);
  if (!key) return notKnown(characterName);
  if (key.is_revoked) throw new DomainError(revokedCode(key));
  return {
    verified: true,
    characterName: key.character_name,
    memberType: key.member_type,
    accessKey: key.key_value,
  };
}

/** The record of the token, or the key that it earned, is gone. */
const notKnown = (characterName: string): VerificationAnswer => ({
  verified: false,
  characterName,
  reason: 'verification.notFound',
});

/** Other names come first. `nextCheckAt` is for clients that don't know this reason. */
function notYet(ctx: Reading, characterName: string, waitSeconds: number): VerificationAnswer {
  const nextCheckAt = new Date(ctx.now().getTime() + waitSeconds * 1_000).toISOString();
  return {
    verified: false,
    characterName,
    reason: 'verification.waiting',
    waitSeconds,
    checkedAt: null,
    nextCheckAt,
  };
}

async function stillPending(
  ctx: VerificationContext,
  characterName: string,
  sighting: Sighting | null,
): Promise<VerificationAnswer> {
  const finding = sighting?.finding;
  if (finding?.type === 'missing')
    throw new DomainError('character.notFound', { character_name: characterName });
  if (finding?.type === 'bad-name') throw new DomainError('character.nameInvalid');
  if (finding?.type === 'character')
    assertMayVerify(await guildThatVerifies(ctx), characterName, finding.character);
  return {
    verified: false,
    // As the game spells it, once it was looked up.
    characterName: finding?.type === 'character' ? finding.character.name : characterName,
    reason: finding?.type === 'failure' ? 'verification.sourceFailed' : 'verification.codeNotFound',
    checkedAt: sighting?.taken_at.toISOString() ?? null,
    nextCheckAt: sighting?.next_at.toISOString() ?? null,
  };
}

/** Read each time: an admin may have changed it since the page was opened. */
async function guildThatVerifies(ctx: Reading): Promise<string | null> {
  return (await readConfig(ctx, ctx.db)).guild_name;
}

/** @throws DomainError if the character may not verify, whether or not its code was found */
function assertMayVerify(
  guild_name: string | null,
  characterName: string,
  character: GameCharacter,
): void {
  // The game answers a former name with the character under its current name.
  if (nameKey(character.name) !== nameKey(characterName)) {
    throw new DomainError('character.renamed', {
      character_name: characterName,
      new_name: character.name,
    });
  }
  if (character.is_deleted) throw new DomainError('verification.deletedCharacter');
  if (guild_name && nameKey(character.guild_name ?? '') !== nameKey(guild_name)) {
    throw new DomainError('verification.notInGuild', { guild_name });
  }
}

function mayVerify(
  guild_name: string | null,
  characterName: string,
  character: GameCharacter,
): boolean {
  try {
    assertMayVerify(guild_name, characterName, character);
    return true;
  } catch {
    return false;
  }
}

async function lookForCodes(
  ctx: VerificationContext,
  characterName: string,
  address_hash: string,
): Promise<Sighting | TurnAwaited | null> {
  // Callers cannot make the server look up names without a pending code.
  if (
    ctx.env.CHARACTER_CHECK === 'manual' ||
    (await pendingCodes(ctx, nameKey(characterName))).length === 0
  )
    return null;
  const look = await characterSource(ctx).look(characterName, address_hash);
  if ('finding' in look && look.finding.type === 'character')
    await storeOnce(ctx, characterName, look.finding.character);
  return look;
}

/** Stores a finding once for all callers that wait for it. */
function storeOnce(
  ctx: VerificationContext,
  characterName: string,
  character: GameCharacter,
): Promise<void> {
  const character_key = nameKey(characterName);
  const store = () =>
    storeFound(ctx, characterName, character).finally(() =>
      storingFound(ctx).delete(character_key),
    );
  const running = storingFound(ctx).get(character_key) ?? onBehalfOfAll(store);
  storingFound(ctx).set(character_key, running);
  return running;
}

async function storeFound(
  ctx: VerificationContext,
  characterName: string,
  character: GameCharacter,
): Promise<void> {
  const inComment = codesIn(character.comment);
  if (inComment.size === 0) return;
  // Read again, since the look took time. An old sighting contains no new code and does no harm.
  const found = (await pendingCodes(ctx, nameKey(characterName))).filter(
    ({ code }) => code !== null && inComment.has(code),
  );
  if (found.length > 0 && mayVerify(await guildThatVerifies(ctx), characterName, character)) {
    for (const { verifying } of ctx.features) await verifying?.(ctx, character);
    await storeVerification(
      ctx,
      character,
      found.map(({ id }) => id),
    );
  }
}

function pendingCodes(
  ctx: Reading,
  character_key: string,
): Promise<{ id: number; code: string | null }[]> {
  return ctx.db
    .selectFrom('verifications')
    .select(['id', 'code'])
    .where('character_key', '=', character_key)
    .where('verified_at', 'is', null)
    .where('code', 'is not', null)
    .where('expires_at', '>', ctx.now().toISOString())
    .execute();
}

/**
 * Marks the found records as verified, and creates the character's key if it has none. An existing key stays, even a revoked one,
 * but the key of a traded character is replaced, since the seller knows it. Tokens of earlier verifications no longer fetch the key.
 * @throws DomainError session.banned
 */
async function storeVerification(
  ctx: Writing,
  character: GameCharacter,
  ids: readonly number[],
): Promise<void> {
  const character_name = character.name;
  const character_key = nameKey(character_name);
  await write(ctx, async (unit) => {
    const { tx, at } = unit;
    if (await isBanned(tx, character_key)) throw new DomainError('session.banned');
    const now = at.toISOString();
    const verified = await tx
      .updateTable('verifications')
      .set({ verified_at: now, character_name, address_hash: null })
      .where('id', 'in', ids)
      .where('verified_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('id')
      .execute();
    // Another server on the same database may have stored them already.
    if (verified.length === 0) return;
    await tx
      .updateTable('verifications')
      .set({ token_hash: null })
      .where('character_key', '=', character_key)
      .where('verified_at', 'is not', null)
      .where('id', 'not in', ids)
      .execute();
    await forgetOldVerifications(unit, { character_key, verified_now: ids });
    const key = await keyOfCharacter(tx, character_key);
    const isOpen = key?.is_revoked === 0 || key?.revoked_because === 'traded';
    const isReplaced = key !== null && isOpen && character.was_traded;
    const member_type = key?.member_type ?? (await earnedType(ctx, tx, character));
    if (!key) {
      await storeKey(unit, {
        character_name,
        member_type,
        created_by_username: null,
        type_by_hand: 0,
      });
      if (character.was_traded) await noteFormerMembers(tx, [character_key], now);
    } else if (isReplaced) await replaceKey(unit, key);
    if (key && !isReplaced) {
      await putRecords(
        unit,
        verified.map(({ id }) => id),
      );
    } else await putCharacter(unit, character_key);
    await logActivity(
      unit,
      { role: 'visitor' },
      {
        action: 'user_verified',
        details: {
          character_name,
          member_type,
          guild_rank: character.guild_rank,
          key: key ? (isReplaced ? 'replaced' : 'kept') : 'new',
        },
      },
    );
  });
}

/** Only the configured guild's ranks count: anyone can found a guild and name its ranks. */
async function earnedType(ctx: Reading, tx: Tx, { guild_rank }: GameCharacter): Promise<string> {
  if ((await readConfig(ctx, tx)).guild_name === null) return DEFAULT_MEMBER_TYPE;
  return typeOfRank(await allMemberTypes(tx), guild_rank);
}

/** The member type that a guild rank stands for. */
export function typeOfRank(types: readonly MemberType[], guild_rank: string | null): string {
  const rank = nameKey(guild_rank ?? '');
  const earned = types.find(({ guild_ranks }) =>
    guild_ranks.some((each) => nameKey(each) === rank),
  );
  return earned?.member_type ?? DEFAULT_MEMBER_TYPE;
}
