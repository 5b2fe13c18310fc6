import { hoursText, type SayInApp } from '../../../shared/discord/app-message.ts';
import { escapeName } from '../../../shared/discord/escape.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import type { CallingMember } from '../../http/caller.ts';
import { sentencesIn } from '../../http/errors.ts';
import type { DiscordContext } from './context.ts';
import { type BoardNow, claimableDates, readBoard } from './day.ts';
import { charactersOf, type DiscordUser, type LinkedCharacter } from './links.ts';
import { type Component, linkButton, type Message, row } from './message-parts.ts';
import { dateMeant, durationMeant, hourMeant, spotsMeant } from './option-text.ts';

/* The turn of a command or pressed button: who acts, on which board, and the options as the answers need them. */

/** One command or pressed button, of a linked user. */
export interface CommandRequest {
  ctx: DiscordContext;
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
  return {
    ...request,
    characters,
    board: await readBoard(request.ctx),
    say: sentencesIn(request.language),
  };
}

/** The caller as REST would authenticate them, marked for the activity log. */
export const callerOf = ({ access_key }: LinkedCharacter): CallingMember => ({
  role: 'member',
  access_key,
  via: 'discord',
});

/** The character that was named, or the first. @throws DomainError discord.notYours */
export function actingAs({ characters, option }: Turn): LinkedCharacter {
  const named = option('character');
  const found =
    named === ''
      ? characters[0]
      : characters.find(({ character_name }) => nameKey(character_name) === nameKey(named));
  if (!found) throw new DomainError('discord.notYours', { character_name: escapeName(named) });
  return found;
}

/** @throws DomainError discord.notYours */
export function characterOfKey({ characters }: Turn, key_id: number): LinkedCharacter {
  const found = characters.find(({ access_key_id }) => access_key_id === key_id);
  if (!found) throw new DomainError('discord.notYours', { character_name: '' });
  return found;
}

/** The spots that the option may mean, at least one. @throws DomainError discord.unknownSpot */
export function spotsOf({ board, option }: Turn): [Respawn, ...Respawn[]] {
  const [first, ...others] = spotsMeant(board, option('spot'));
  if (!first) throw new DomainError('discord.unknownSpot', { spot: escapeName(option('spot')) });
  return [first, ...others];
}

/** The spot of a button. @throws DomainError discord.buttonExpired */
export function spotById({ board }: Turn, spot_id: number): Respawn {
  const found = board.records.respawn.find(({ id }) => id === spot_id);
  if (!found) throw new DomainError('discord.buttonExpired');
  return found;
}

/** @throws DomainError discord.unknownDate */
export function dateOf({ board, option }: Turn): string {
  const typed = option('date');
  if (typed === '') return claimableDates(board, 1)[0] ?? board.today;
  const date = dateMeant(board, typed);
  if (date === null) throw new DomainError('discord.unknownDate', { date: escapeName(typed) });
  return date;
}

/** The start and duration; null: not given. @throws DomainError discord.unknownHour */
export function hoursGiven({ option }: Turn): { start: number | null; hours: number | null } {
  const read = (
    name: 'start' | 'hours',
    meant: (text: string, most: number) => number | null,
    most: number,
  ): number | null => {
    const typed = option(name);
    const number = typed === '' ? null : meant(typed, most);
    if (typed !== '' && number === null)
      throw new DomainError('discord.unknownHour', { hour: escapeName(typed) });
    return number;
  };
  return {
    start: read('start', hourMeant, HOURS_IN_DAY - 1),
    hours: read('hours', durationMeant, HOURS_IN_DAY),
  };
}

/** The sentences that `shared/discord` needs. */
export const inApp =
  (say: Turn['say']): SayInApp =>
  (key, params = {}) =>
    say(key, params);

export const hoursOf = ({ board, say }: Turn, date: string, range: HourRange): string =>
  hoursText({ ...range, date }, inApp(say), board.clock);

/** A link to the board, where its address is known. */
export function openBoard({ ctx, say }: Turn, date: string, spot: Respawn | null): Component[] {
  if (!ctx.env.PUBLIC_URL) return [];
  const query = new URLSearchParams({ date, ...(spot && { search: spot.name }) });
  return [row(linkButton(say('discordApp.openBoard'), `${ctx.env.PUBLIC_URL}/?${query}`))];
}

export const done = (content: string): Message => ({ content, embeds: [], components: [] });
