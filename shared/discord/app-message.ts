import { type HourRange, hoursIn } from '../rules/hours.ts';
import { HOURS_IN_DAY, instantOf, type ServerSaveClock } from '../rules/server-save.ts';
import { escapeName } from './escape.ts';

/* The Discord app's view of a spot's day. In `shared/`, so that a preview can render the same. */

/** The sentences of the messages, in their reader's language. */
type AppSentence =
  `discordApp.${'hours' | 'free' | 'noFree' | 'claimed' | 'held' | 'waitlist' | 'entry' | 'legend'}`;
export type SayInApp = (key: AppSentence, params?: Record<string, string | number>) => string;

export interface AppEmbed {
  title: string;
  description: string;
  /** RGB; of the member type. */
  color?: number;
}

/** Hours as an app message shows them. */
interface ShownHours extends HourRange {
  character_name: string;
  is_held: boolean;
}

export interface ShownDay {
  respawn_name: string;
  date: string;
  taken: readonly ShownHours[];
  free: readonly HourRange[];
  /** How many hours of the day are over. */
  over: number;
  waitlist: readonly (HourRange & { character_name: string })[];
  /** Of the member type, #rrggbb; null: none. */
  background_color: string | null;
}

/** One character an hour: 24 fit into a line of a phone. */
const CLAIMED = '█';
const HELD = '▒';
const FREE = '░';
const OVER = '·';
const SCALE = '0     6     12    18    24';

/** Discord's longest description is 4,096 characters; names are cut at 60 and escaped to twice as many. */
const MAX_LINES = 24;

export function hourStrip({ taken, over }: Pick<ShownDay, 'taken' | 'over'>): string {
  const hours = Array.from({ length: HOURS_IN_DAY }, (_, hour): string =>
    hour < over ? OVER : FREE,
  );
  for (const range of taken)
    for (const hour of hoursIn(range)) hours[hour] = range.is_held ? HELD : CLAIMED;
  return hours.join('');
}

/** Discord shows it in each reader's own time. */
export const discordTime = (at: Date, style: 't' | 'D' | 'f' | 'R'): string =>
  `<t:${Math.floor(at.getTime() / 1_000)}:${style}>`;

/** Hours in server-save hours, and in the reader's own time. */
export const hoursText = (
  { date, hour_start, hour_end }: HourRange & { date: string },
  say: SayInApp,
  clock: ServerSaveClock,
): string =>
  say('discordApp.hours', {
    start: hour_start,
    end: hour_end,
    from: discordTime(instantOf(date, hour_start, clock), 't'),
    until: discordTime(instantOf(date, hour_end, clock), 't'),
  });

/** A spot's day: its strip, its claims in order, its free hours and its waitlist. */
export function dayEmbed(day: ShownDay, say: SayInApp, clock: ServerSaveClock): AppEmbed {
  const { date, taken, free, waitlist, background_color } = day;
  const text = (range: HourRange): string => hoursText({ ...range, date }, say, clock);
  const claims = taken.map((each) => {
    const params = { hours: text(each), name: escapeName(each.character_name, 30) };
    return each.is_held ? say('discordApp.held', params) : say('discordApp.claimed', params);
  });
  const freeHours =
    free.length === 0
      ? [say('discordApp.noFree')]
      : free.map((each) => say('discordApp.free', { hours: text(each) }));
  const entries = waitlist.map((each, at) =>
    say('discordApp.entry', {
      position: at + 1,
      hours: text(each),
      name: escapeName(each.character_name, 30),
    }),
  );
  const lines = [
    discordTime(instantOf(date, 0, clock), 'D'),
    `\`\`\`\n${hourStrip(day)}\n${SCALE}\n\`\`\`${say('discordApp.legend')}`,
    ...claims,
    ...freeHours,
    ...(entries.length > 0 ? [`**${say('discordApp.waitlist')}**`, ...entries] : []),
  ];
  const visible = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;
  return {
    title: escapeName(day.respawn_name),
    description: visible.join('\n'),
    ...(background_color === null ? {} : { color: Number.parseInt(background_color.slice(1), 16) }),
  };
}
