import { discordTime } from './discord/app-message.ts';
import { escapeName } from './discord/escape.ts';
import { instantOf, type ServerSaveClock } from './rules/server-save.ts';
import { undotted } from './rules/undotted.ts';
import type { Language } from './schemas/destination.ts';

/* The words of notices, for push and for direct messages in Discord. In `shared/`, so that a preview can render the same. */

type NoticeSentence = `push.${'hold.title' | 'hold.body' | 'when' | 'everyDay' | 'wholeEvent'}`;
type SayInNotice = (key: NoticeSentence, params: Record<string, string | number>) => string;

export interface Recipient {
  language: Language;
  time_zone: string;
  clock: ServerSaveClock;
  now: Date;
  /** Whether it is a message in Discord: names are escaped, and each reader sees times in their own time zone. */
  in_discord?: true;
}

/** Hours of a date; null: of each date of an event, whose period may be known. */
interface NoticeHours {
  date: string | null;
  hour_start: number;
  hour_end: number;
  period?: { first: string; last: string } | null;
}

export interface NoticeText {
  title: string;
  body: string;
}

interface HeldHours extends NoticeHours {
  respawn_name: string;
  character_name: string;
  /** Until when they can be taken, ISO 8601. */
  until: string;
}

export function heldHoursText(
  say: SayInNotice,
  recipient: Recipient,
  { respawn_name, character_name, until, ...hours }: HeldHours,
): NoticeText {
  const spot = nameText(recipient, respawn_name);
  const name = nameText(recipient, character_name);
  const when = whenText(say, recipient, hours);
  return {
    title: say('push.hold.title', { spot }),
    body: say('push.hold.body', { name, when, until: deadlineText(recipient, until) }),
  };
}

export const directContent = (title: string, body: string): string => `**${title}**\n${body}`;

const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' };

/** In the member's time zone, and in server-save hours. */
export function whenText(
  say: SayInNotice,
  recipient: Recipient,
  { date, hour_start: start, hour_end: end, period }: NoticeHours,
): string {
  if (date === null) {
    if (!period) return say('push.wholeEvent', { start, end });
    const first = dayText(recipient, period.first);
    const last = dayText(recipient, period.last);
    return say('push.everyDay', { first, last, start, end });
  }
  const from = instantOf(date, start, recipient.clock);
  const until = instantOf(date, end, recipient.clock);
  const there = recipient.in_discord
    ? discordTime(from, 'D')
    : undotted(formatterFor(recipient.language, recipient.time_zone, DAY).format(from));
  return say('push.when', {
    date: there,
    from: timeText(recipient, from),
    until: timeText(recipient, until),
    start,
    end,
  });
}

export const nameText = ({ in_discord }: Recipient, name: string): string =>
  in_discord ? escapeName(name) : name;

const timeText = ({ language, time_zone, in_discord }: Recipient, at: Date | string): string =>
  in_discord
    ? discordTime(new Date(at), 't')
    : formatterFor(language, time_zone, CLOCK).format(new Date(at));

/** In Discord also the time left, which counts down. */
export const deadlineText = (recipient: Recipient, at: string): string =>
  recipient.in_discord
    ? `${timeText(recipient, at)} (${discordTime(new Date(at), 'R')})`
    : timeText(recipient, at);

/** For deadlines that may be on another day: the day, too, if it isn't today. */
export function dayAndDeadlineText(recipient: Recipient, at: string): string {
  const { language, time_zone, now, in_discord } = recipient;
  const day = formatterFor(language, time_zone, DAY);
  const there = day.format(new Date(at));
  const today = day.format(now);
  if (there === today) return deadlineText(recipient, at);
  if (in_discord) return `${discordTime(new Date(at), 'D')}, ${deadlineText(recipient, at)}`;
  return `${undotted(there)}, ${deadlineText(recipient, at)}`;
}

/** A server-save date: no time zone may shift it. */
const dayText = ({ language }: Recipient, date: string): string =>
  undotted(formatterFor(language, 'UTC', DAY).format(new Date(`${date}T00:00:00Z`)));

/** Creating one is slow. There are some hundred time zones, so the map stays small. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(
  language: Language,
  timeZone: string,
  options: typeof CLOCK | typeof DAY,
): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${options === CLOCK}`;
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat(language, { ...options, timeZone });
  formatters.set(key, formatter);
  return formatter;
}
