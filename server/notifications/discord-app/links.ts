import { randomInt } from 'node:crypto';
import {
  LINK_CODE_LENGTH,
  LINK_CODE_MINUTES,
  READABLE_ALPHABET,
} from '../../../shared/credentials.ts';
import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import {
  type DiscordLinkState,
  type LinkCode,
  typedLinkCode,
} from '../../../shared/schemas/discord.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { formerMembers } from '../../auth/changed-members.ts';
import { hashToken, memberOfKey } from '../../auth/sessions.ts';
import { NO_DISCORD_LINK } from '../../board/records/members.ts';
import { type Db, inBatches, type Tx } from '../../db/database.ts';
import { updateSubscribedTypes } from '../../db/domain-events.ts';
import {
  MANY_CHANGES,
  type Unit,
  type WriteHook,
  type Writing,
  write,
} from '../../db/unit-of-work.ts';
import type { Member } from '../../http/caller.ts';
import type { WrongTries } from '../../http/rate-limits.ts';
import { findAccessKey, findAccessKeys } from '../../members/records.ts';

/*
 * A link is stored with the access key, so it ends when the key is deleted; revoking a key and banning a character clear it.
 * Each interaction looks the key up again.
 */

export interface DiscordUser {
  id: string;
  /** As others see it. */
  name: string;
  /** Of the interaction; null: it is not one of ours, and the guild's is used. */
  language: Language | null;
}

/** Wrong codes of one Discord user in the window below; then codes are refused until it ends. */
export const WRONG_CODES = 5;
/** In milliseconds, from the first wrong code. */
export const WRONG_CODES_WINDOW_MS = 10 * 60_000;

/**
 * Makes a code that links a Discord user to the member's character; it replaces an earlier one. No watcher sees it.
 * @throws DomainError discord.notSetUp; session.* for an invalid key
 */
export async function createLinkCode(ctx: Writing, access_key: string): Promise<LinkCode> {
  const code = Array.from(
    { length: LINK_CODE_LENGTH },
    () => READABLE_ALPHABET[randomInt(READABLE_ALPHABET.length)],
  ).join('');
  const expires_at = new Date(ctx.now().getTime() + LINK_CODE_MINUTES * 60_000).toISOString();
  await ctx.writes.transaction(async (tx) => {
    const { access_key_id } = await memberOfKey(tx, access_key);
    if (!(await tx.selectFrom('discord_app').select('id').executeTakeFirst()))
      throw new DomainError('discord.notSetUp');
    await tx
      .updateTable('access_keys')
      .set({ discord_code_hash: hashToken(code), discord_code_expires_at: expires_at })
      .where('id', '=', access_key_id)
      .execute();
  });
  return { code, expires_at };
}

/** The Discord user of a member's character. */
export async function linkOf(
  db: Db | Tx,
  { access_key_id }: Pick<Member, 'access_key_id'>,
): Promise<DiscordLinkState> {
  const row = await db
    .selectFrom('access_keys')
    .select([
      'discord_user_id',
      'discord_name',
      'discord_linked_at as linked_at',
      'discord_closed_at as messages_closed_at',
    ])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('discord_app').select('discord_app.id')).as('is_set_up'),
    )
    .where('id', '=', access_key_id)
    .executeTakeFirst();
  if (!row) return { is_set_up: false, link: null };
  const { discord_user_id, discord_name, linked_at, messages_closed_at } = row;
  const isLinked = discord_user_id !== null && discord_name !== null && linked_at !== null;
  return {
    is_set_up: Boolean(row.is_set_up),
    link: isLinked ? { discord_user_id, discord_name, linked_at, messages_closed_at } : null,
  };
}

/** The language to write to a Discord user in: that of the last command, else the guild's. */
export async function languageOfUser(db: Db | Tx, discord_user_id: string): Promise<Language> {
  const known = await db
    .selectFrom('access_keys')
    .select('discord_language')
    .where('discord_user_id', '=', discord_user_id)
    .where('discord_language', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return known?.discord_language ?? guildLanguage(db);
}

/** The language that an owner chose for the guild's channels, Discord's first; else that of most connected members; else English. */
async function guildLanguage(db: Db | Tx): Promise<Language> {
  const channel = await db
    .selectFrom('channels')
    .select('language')
    .orderBy('kind')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (channel) return channel.language;
  const members = await db
    .selectFrom('access_keys')
    .select('discord_language')
    .where('discord_language', 'is not', null)
    .groupBy('discord_language')
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('discord_language')
    .limit(1)
    .executeTakeFirst();
  return members?.discord_language ?? 'en';
}

/** A character of a Discord user, with the key that an operation authenticates. */
export interface LinkedCharacter {
  access_key_id: number;
  character_name: string;
  member_type: string;
  access_key: string;
}

/** Upper bound of characters that one Discord user may link. */
const MAX_LINKED = 25;

/** The characters of a Discord user whose keys work, in alphabetical order. */
export async function charactersOf(
  db: Db | Tx,
  discord_user_id: string,
): Promise<LinkedCharacter[]> {
  const found = await db
    .selectFrom('access_keys')
    .select(['id as access_key_id', 'character_name', 'member_type', 'key_value as access_key'])
    .where('discord_user_id', '=', discord_user_id)
    .where('is_revoked', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bans')
            .select('bans.character_key')
            .whereRef('bans.character_key', '=', 'access_keys.character_key'),
        ),
      ),
    )
    .limit(MAX_LINKED)
    .execute();
  return found.sort((a, b) => nameKey(a.character_name).localeCompare(nameKey(b.character_name)));
}

/**
 * Links a Discord user to the character of a code, and uses the code up.
 * @returns the character's name
 * @throws DomainError discord.wrongCode, also for an expired one; request.tooManyTries; discord.tooManyLinks; session.* if the key has ended
 */
export async function redeemCode(
  ctx: Writing,
  user: DiscordUser,
  { typed, wrongCodes }: { typed: string; wrongCodes: Pick<WrongTries, 'countFirst'> },
): Promise<string> {
  const { data: code } = typedLinkCode.safeParse(typed);
  return wrongCodes.countFirst(
    { secret: ['link code'], address: `discord ${user.id}` },
    async () => {
      if (code === undefined) throw new DomainError('discord.wrongCode');
      return write(ctx, (unit) => link(unit, user, code));
    },
    (error) => error instanceof DomainError && error.code === 'discord.wrongCode',
  );
}

async function link(unit: Unit, user: DiscordUser, code: string): Promise<string> {
  const { tx } = unit;
  const key = await tx
    .selectFrom('access_keys')
    .select('key_value')
    .where('discord_code_hash', '=', hashToken(code))
    .where('discord_code_expires_at', '>', unit.at.toISOString())
    .executeTakeFirst();
  if (!key) throw new DomainError('discord.wrongCode');
  return linkMember(unit, user, { ...(await memberOfKey(tx, key.key_value)), via: 'discord' });
}

/**
 * Links a Discord user to a member's character, instead of an earlier one.
 * @returns the character's name
 * @throws DomainError discord.tooManyLinks
 */
export async function linkMember(unit: Unit, user: DiscordUser, member: Member): Promise<string> {
  const { tx } = unit;
  const key = await tx
    .selectFrom('access_keys')
    .select(['id', 'discord_user_id'])
    .where('id', '=', member.access_key_id)
    .executeTakeFirstOrThrow();
  if (key.discord_user_id !== user.id && (await charactersOf(tx, user.id)).length >= MAX_LINKED)
    throw new DomainError('discord.tooManyLinks');
  await tx
    .updateTable('access_keys')
    .set({
      ...NO_DISCORD_LINK,
      discord_user_id: user.id,
      discord_name: user.name,
      discord_linked_at: unit.at.toISOString(),
      discord_language: user.language,
    })
    .where('id', '=', key.id)
    .execute();
  if (key.discord_user_id !== user.id) await forgetMessages(tx, key.id);
  await showKey(unit, key.id);
  const details = { character_name: member.character_name };
  await logActivity(unit, member, { action: 'discord_linked', details });
  await updateSubscribedTypes(unit.ctx, unit.tx);
  return member.character_name;
}

/**
 * Ends the link of a member's character.
 * @throws DomainError discord.notLinked; session.* for an invalid key
 */
export async function unlink(ctx: Writing, access_key: string): Promise<void> {
  await write(ctx, async (unit) => {
    const member = await memberOfKey(unit.tx, access_key);
    const { link } = await linkOf(unit.tx, member);
    if (!link) throw new DomainError('discord.notLinked');
    await endLink(unit, member);
  });
}

/**
 * Ends all links of a Discord user.
 * @returns the names of the characters
 * @throws DomainError discord.notLinked
 */
export async function unlinkUser(ctx: Writing, user: DiscordUser): Promise<string[]> {
  return write(ctx, async (unit) => {
    const characters = await charactersOf(unit.tx, user.id);
    if (characters.length === 0) throw new DomainError('discord.notLinked');
    for (const { access_key } of characters)
      await endLink(unit, { ...(await memberOfKey(unit.tx, access_key)), via: 'discord' });
    return characters.map(({ character_name }) => character_name);
  });
}

/** Stops editing a former user's messages, which would show the member's actions. */
async function forgetMessages(tx: Tx, access_key_id: number): Promise<void> {
  await tx.deleteFrom('direct_messages').where('access_key_id', '=', access_key_id).execute();
}

async function endLink(unit: Unit, member: Member): Promise<void> {
  const { tx } = unit;
  await tx
    .updateTable('access_keys')
    .set(NO_DISCORD_LINK)
    .where('id', '=', member.access_key_id)
    .execute();
  await forgetMessages(tx, member.access_key_id);
  await showKey(unit, member.access_key_id);
  await logActivity(unit, member, {
    action: 'discord_unlinked',
    details: { character_name: member.character_name },
  });
}

async function showKey({ tx, changes }: Unit, id: number): Promise<void> {
  const record = await findAccessKey(tx, id);
  if (record) changes.put({ kind: 'access_key', record });
}

/** The keys of former members no longer work, or are another member's. */
export const endLinksOfFormerMembers: WriteHook = {
  after: async ({ tx, changes }) => {
    const ended: { id: number }[] = [];
    for (const some of inBatches(changes.collect(formerMembers).keys())) {
      const linked = tx
        .updateTable('access_keys')
        .set(NO_DISCORD_LINK)
        .where('discord_user_id', 'is not', null);
      ended.push(...(await linked.where('character_key', 'in', some).returning('id').execute()));
    }
    if (ended.length > MANY_CHANGES) changes.reset('admins');
    else
      for (const record of await findAccessKeys(
        tx,
        ended.map(({ id }) => id),
      ))
        changes.put({ kind: 'access_key', record });
  },
};
