import { hoursText, type SayInApp } from '../../../shared/discord/app-message.ts';
import { escapeName } from '../../../shared/discord/escape.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import type { Joining } from '../../board/waitlist/member-actions.ts';
import type { Reader } from '../../db/database.ts';
import type { Settings } from '../../env.ts';
import type { KeyHolder } from '../../http/caller.ts';
import { sentencesIn } from '../../http/errors.ts';
import { type BoardNow, type BoardReader, claimableDates, nearDate, readBoard, spotsNamed } from './day.ts';
import { charactersOf, type DiscordUser, type LinkedCharacter } from './links.ts';
import { type Component, linkButton, type Message, row } from './message-parts.ts';

/* The turn of a command or pressed button: who acts, on which board, and the options as the answers need them. */

export interface AnswerContext extends Reader, BoardReader, Joining, Settings {}

/** One command or pressed button, of a linked user. */
export interface CommandRequest {
  ctx: AnswerContext;
  user: DiscordUser;
  language: Language;
  /** The option of a command as text, '' without it. */
  option: (name: string) => string;
}

export interface Turn extends CommandRequest {
  board: BoardNow;
  characters: readonly LinkedCharacter[];
  say: ReturnType<typeof sentencesIn>;
}

/** @throws DomainError discord.linkFirst */
export async function beginTurn(request: CommandRequest): Promise<Turn> {
  const characters = await charactersOf(request.ctx.db, request.user.id);
  if (characters.length === 0) throw new DomainError('discord.linkFirst');
  return { ...request, characters, board: await readBoard(request.ctx), say: sentencesIn(request.language) };
}

/** Who acts: as REST would authenticate them, marked for the activity log. */
export const principal = ({ access_key }: LinkedCharacter): Pick<KeyHolder, 'role' | 'access_key' | 'via'> => ({
  role: 'member',
  access_key,
  via: 'discord',
});

/** The character that was named, or the first. @throws DomainError discord.notYours */
export function actingAs({ characters, option }: Turn): LinkedCharacter {
  const named = option('character');
  const found = named === '' ? characters[0] : characters.find(({ character_name }) => nameKey(character_name) === nameKey(named));
  if (!found) throw new DomainError('discord.notYours', { character_name: escapeName(named) });
  return found;
}

/** @throws DomainError discord.notYours */
export function characterOfKey({ characters }: Turn, key_id: string): LinkedCharacter {
  const found = characters.find(({ access_key_id }) => String(access_key_id) === key_id);
  if (!found) throw new DomainError('discord.notYours', { character_name: '' });
  return found;
}

/** @throws DomainError discord.unknownSpot */
export function spotOf({ board }: Turn, typed: string): Respawn {
  // A chosen suggestion is an id; typed text takes the best match.
  const found = /^\d+$/.test(typed) ? board.records.respawn.find(({ id }) => id === Number(typed)) : spotsNamed(board, typed, 1)[0];
  if (!found || typed === '') throw new DomainError('discord.unknownSpot', { spot: escapeName(typed) });
  return found;
}

/** @throws DomainError discord.unknownDate */
export function dateOf({ board }: Turn, typed: string): string {
  if (typed === '') return claimableDates(board, 1)[0] ?? board.today;
  const date = nearDate(board, typed);
  if (date === null) throw new DomainError('discord.unknownDate', { date: escapeName(typed) });
  return date;
}

/** Whole hours in a text such as `SS+10` or `10`, at most `most`; null: none were given. @throws DomainError discord.unknownHour */
export function hourOf(typed: string, most: number): number | null {
  if (typed === '') return null;
  const [, digits] = /^(?:ss)?\+?(\d{1,2})h?$/i.exec(typed.replace(/\s+/g, '')) ?? [];
  if (digits === undefined || Number(digits) > most) throw new DomainError('discord.unknownHour', { hour: escapeName(typed) });
  return Number(digits);
}

/** The sentences that `shared/discord` needs. */
export const inApp =
  (say: Turn['say']): SayInApp =>
  (key, params = {}) =>
    say(key, params);

export const hoursOf = ({ board, say }: Turn, date: string, range: HourRange): string => hoursText(range, date, inApp(say), board.clock);

/** A link to the board, where its address is known. */
export function openBoard({ ctx, say }: Turn, date: string, spot: Respawn | null): Component[] {
  if (!ctx.env.PUBLIC_URL) return [];
  const query = new URLSearchParams({ date, ...(spot && { search: spot.name }) });
  return [row(linkButton(say('discordApp.openBoard'), `${ctx.env.PUBLIC_URL}/?${query}`))];
}

/** A message without embeds and buttons. */
export const done = (content: string): Message => ({ content, embeds: [], components: [] });
