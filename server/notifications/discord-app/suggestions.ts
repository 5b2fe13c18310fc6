import { nameKey } from '../../../shared/rules/names.ts';
import { HOURS_IN_DAY, instantOf } from '../../../shared/rules/server-save.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { DiscordContext } from './context.ts';
import {
  type BoardNow,
  claimableDates,
  folded,
  readBoard,
  spotDay,
  spotsNamed,
  startsOf,
  voucherOf,
} from './day.ts';
import type { DiscordUser } from './links.ts';
import {
  dateLabel,
  dateMeant,
  durationMeant,
  MAX_OPTIONS,
  spotsMeant,
  spotValue,
} from './option-text.ts';

/* Suggestions while a command is typed. They are read from memory: Discord asks at each keystroke. */

interface Suggestion {
  name: string;
  value: string;
}

interface Typing {
  by: DiscordUser;
  language: Language;
  options: readonly {
    name: string;
    value?: string | number | boolean | undefined;
    focused?: boolean | undefined;
  }[];
}

/** @returns nothing to a user without a linked character: the board may be for members only */
export async function suggest(
  ctx: DiscordContext,
  { by, language, options }: Typing,
): Promise<Suggestion[]> {
  const { records } = await ctx.readModel.snapshot('admins');
  const own = (records.access_key ?? [])
    .filter(({ discord_user_id, is_revoked }) => discord_user_id === by.id && !is_revoked)
    .sort((a, b) => nameKey(a.character_name).localeCompare(nameKey(b.character_name)));
  const [first] = own;
  if (!first) return [];
  const board = await readBoard(ctx);
  const typed = (name: string): string =>
    String(options.find((each) => each.name === name)?.value ?? '');
  const focused = options.find((each) => each.focused);
  switch (focused?.name) {
    case 'spot':
      return spotsNamed(board, typed('spot'), MAX_OPTIONS).map((spot) => ({
        name: spot.name,
        value: spotValue(spot),
      }));
    case 'date':
      return datesNamed(board, language, typed('date'));
    case 'start': {
      const [spot] = spotsMeant(board, typed('spot'));
      if (!spot) return [];
      const date = dateMeant(board, typed('date')) ?? claimableDates(board, 1)[0] ?? board.today;
      const character =
        own.find(({ character_name }) => nameKey(character_name) === nameKey(typed('character'))) ??
        first;
      const hours = durationMeant(typed('hours'), HOURS_IN_DAY) ?? 1;
      const day = spotDay(board, spot, date);
      const voucher = voucherOf(board, character.member_type);
      const starts = startsOf(day, board, { duration: hours, voucher }).filter(
        ({ max_duration }) => max_duration >= hours,
      );
      const [digits = ''] = /\d{1,2}/.exec(typed('start')) ?? [];
      return starts
        .filter(({ hour }) => String(hour).startsWith(digits))
        .slice(0, MAX_OPTIONS)
        .map(({ hour, max_duration }) => ({
          name: `SS+${hour} · ${localTime(board, language, { date, hour })} · ≤ ${max_duration} h`,
          value: String(hour),
        }));
    }
    case 'character':
      return own
        .slice(0, MAX_OPTIONS)
        .map(({ character_name }) => ({ name: character_name, value: character_name }));
    default:
      return [];
  }
}

/** Dates that can be claimed, by their weekday and day in the reader's language. */
const datesNamed = (board: BoardNow, language: Language, typed: string): Suggestion[] =>
  claimableDates(board, MAX_OPTIONS)
    .map((value) => ({ name: dateLabel(board, language, value), value }))
    .filter(
      ({ name, value }) => value.startsWith(typed.trim()) || folded(name).includes(folded(typed)),
    );

/** A time of day for labels, in which Discord shows no timestamps: relative within a day, else in UTC. */
export function localTime(
  { clock, now }: BoardNow,
  language: Language,
  { date, hour }: { date: string; hour: number },
): string {
  const at = instantOf(date, hour, clock);
  const minutes = Math.round((at.getTime() - now.getTime()) / 60_000);
  if (Math.abs(minutes) < 24 * 60) {
    const relative = new Intl.RelativeTimeFormat(language, { style: 'short', numeric: 'auto' });
    return Math.abs(minutes) < 60
      ? relative.format(minutes, 'minute')
      : relative.format(Math.round(minutes / 60), 'hour');
  }
  return `${new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' }).format(at)} UTC`;
}
