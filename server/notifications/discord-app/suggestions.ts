import { cut } from '../../../shared/discord/escape.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays, instantOf } from '../../../shared/rules/server-save.ts';
import { undotted } from '../../../shared/rules/undotted.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import {
  type BoardNow,
  type BoardReader,
  claimableDates,
  folded,
  nearDate,
  readBoard,
  spotDay,
  spotsNamed,
  startsOf,
  voucherOf,
} from './day.ts';
import type { DiscordUser } from './links.ts';

/* Suggestions while a command is typed. They are read from memory: Discord asks at each keystroke. */

/** Discord's upper bound. */
const MAX_SUGGESTIONS = 25;
const MAX_LENGTH = 100;

interface Suggestion {
  name: string;
  value: string;
}

interface Typing {
  by: DiscordUser;
  language: Language;
  options: readonly { name: string; value?: string | number | boolean | undefined; focused?: boolean | undefined }[];
}

/** @returns nothing to a user without a linked character: the board may be for members only */
export async function suggest(ctx: BoardReader, { by, language, options }: Typing): Promise<Suggestion[]> {
  const { records } = await ctx.readModel.snapshot('admins');
  const own = (records.access_key ?? [])
    .filter(({ discord_user_id, is_revoked }) => discord_user_id === by.id && !is_revoked)
    .sort((a, b) => nameKey(a.character_name).localeCompare(nameKey(b.character_name)));
  const [first] = own;
  if (!first) return [];
  const board = await readBoard(ctx);
  const typed = (name: string): string => String(options.find((each) => each.name === name)?.value ?? '');
  const focused = options.find((each) => each.focused);
  switch (focused?.name) {
    case 'spot':
      return spotsNamed(board, typed('spot'), MAX_SUGGESTIONS).map(({ id, name }) => ({ name: cut(name, MAX_LENGTH), value: String(id) }));
    case 'date':
      return datesNamed(board, language, typed('date'));
    case 'start': {
      const spot = board.records.respawn.find(({ id }) => String(id) === typed('spot')) ?? spotsNamed(board, typed('spot'), 1)[0];
      if (!spot || typed('spot') === '') return [];
      const date = nearDate(board, typed('date')) ?? claimableDates(board, 1)[0] ?? board.today;
      const character = own.find(({ character_name }) => nameKey(character_name) === nameKey(typed('character'))) ?? first;
      const hours = Number(typed('hours')) || 1;
      const day = spotDay(board, spot, date);
      const starts = startsOf(day, board, hours, voucherOf(board, character.member_type)).filter(
        ({ max_duration }) => max_duration >= hours,
      );
      return starts
        .filter(({ hour }) => String(hour).startsWith(typed('start').replace(/\D/g, '')))
        .slice(0, MAX_SUGGESTIONS)
        .map(({ hour, max_duration }) => ({ name: startText(board, language, date, hour, max_duration), value: String(hour) }));
    }
    case 'character':
      return own
        .slice(0, MAX_SUGGESTIONS)
        .map(({ character_name }) => ({ name: cut(character_name, MAX_LENGTH), value: cut(character_name, MAX_LENGTH) }));
    default:
      return [];
  }
}

/** Dates that can be claimed, by their weekday and day in the reader's language. */
function datesNamed(board: BoardNow, language: Language, typed: string): Suggestion[] {
  const format = new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const near = new Map([
    [board.today, relative.format(0, 'day')],
    [addDays(board.today, 1), relative.format(1, 'day')],
  ]);
  return claimableDates(board, MAX_SUGGESTIONS)
    .map((value) => {
      const name = undotted(format.format(new Date(`${value}T00:00:00Z`)));
      return { name: near.has(value) ? `${name} (${near.get(value)})` : name, value };
    })
    .filter(({ name, value }) => value.startsWith(typed.trim()) || folded(name).includes(folded(typed)));
}

/** A start with its meaning: from now within a day, else in UTC. */
function startText({ clock, now }: BoardNow, language: Language, date: string, hour: number, hours: number): string {
  return `SS+${hour} · ${localTime({ clock, now }, language, date, hour)} · ≤ ${hours} h`;
}

/** A time of day for labels, in which Discord shows no timestamps: relative within a day, else in UTC. */
export function localTime({ clock, now }: Pick<BoardNow, 'clock' | 'now'>, language: Language, date: string, hour: number): string {
  const at = instantOf(date, hour, clock);
  const minutes = Math.round((at.getTime() - now.getTime()) / 60_000);
  if (Math.abs(minutes) < 24 * 60) {
    const relative = new Intl.RelativeTimeFormat(language, { style: 'short', numeric: 'auto' });
    return Math.abs(minutes) < 60 ? relative.format(minutes, 'minute') : relative.format(Math.round(minutes / 60), 'hour');
  }
  return `${new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' }).format(at)} UTC`;
}
