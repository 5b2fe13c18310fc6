import { EVENT_KEY } from '../event-keys.ts';
import { eventDate } from '../rules/event-period.ts';
import {
  HOURS_IN_DAY,
  instantOf,
  type ServerSaveClock,
  serverSaveTime,
} from '../rules/server-save.ts';
import type {
  BulkAction,
  EventClaim,
  PublicEvent,
  PublicEventOf,
  PublicEventType,
} from '../schemas/domain-events.ts';
import type { EndingReason } from '../schemas/ending.ts';
import type { Event } from '../schemas/event.ts';
import { escapeName, LONGEST_NAME } from './escape.ts';

/** The sentences that a message is made of, and says in its reader's language. */
type DiscordSentence =
  | `discord.${(typeof EVENT_KEY)[PublicEventType]}`
  | `discord.${'when' | 'everyDay' | 'transferredFrom' | 'before' | 'beforeOn' | 'secondary' | 'byAdmin' | 'heldUntil' | 'period' | 'closedText' | 'openedText' | 'test' | 'testText'}`
  | `discord.bulk.${BulkAction}`
  | `claimHistory.reason.${EndingReason}`;
export type SayInDiscord = (
  key: DiscordSentence,
  params?: Record<string, string | number>,
) => string;

/** Discord refuses a whole message that has more. */
export const MAX_EMBEDS = 10;
export const MAX_CHARACTERS = 6_000;
export const MAX_TITLE = 256;
export const MAX_DESCRIPTION = 4_096;

interface Embed {
  title: string;
  description: string;
  color: number;
  timestamp: string;
}
export interface DiscordMessage {
  embeds: Embed[];
  /** No member is pinged, even if a name looks like a mention. */
  allowed_mentions: { parse: [] };
}

const GREEN = 0x38_a1_69;
const YELLOW = 0xd6_9e_2e;
const RED = 0xe5_3e_3e;
const BLUE = 0x31_82_ce;
const GREY = 0x71_80_96;
const COLORS: { readonly [T in PublicEventType]: number } = {
  'claim.created': GREEN,
  'claim.updated': YELLOW,
  'claim.deleted': RED,
  'claim.transferred': YELLOW,
  'event.activated': BLUE,
  'event.deactivated': GREY,
  'hold.offered': BLUE,
  'claim.no_show': RED,
  'claims.changed': YELLOW,
  'submission.closed': GREY,
  'submission.opened': GREEN,
};

/** Tried one after the other until a message has no more signs than it may: names are cut, changes never left out. */
const LONGEST_NAMES = [LONGEST_NAME, 40, 20];

interface Telling {
  say: SayInDiscord;
  clock: ServerSaveClock;
}

/**
 * One message for a channel: at most ten changes, in their order. Hours are written so that each reader sees them in their
 * own time, and names letter by letter.
 */
export function discordMessage(news: readonly PublicEvent[], telling: Telling): DiscordMessage {
  const included = news.slice(0, MAX_EMBEDS);
  for (const longest of LONGEST_NAMES) {
    const embeds = included.map((one) => embedOf(one, { ...telling, longest }));
    const characters = embeds.reduce(
      (sum, { title, description }) => sum + title.length + description.length,
      0,
    );
    if (characters <= MAX_CHARACTERS) return { embeds, allowed_mentions: { parse: [] } };
  }
  throw new Error('a message that Discord refuses');
}

export function discordTest({ say, now }: { say: SayInDiscord; now: Date }): DiscordMessage {
  const embed = {
    title: say('discord.test'),
    description: say('discord.testText'),
    color: BLUE,
    timestamp: now.toISOString(),
  };
  return { embeds: [embed], allowed_mentions: { parse: [] } };
}

interface Writing extends Telling {
  longest: number;
}

function embedOf(news: PublicEvent, writing: Writing): Embed {
  return {
    title: writing.say(`discord.${EVENT_KEY[news.type]}`),
    description: linesOf(news, writing).join('\n'),
    color: COLORS[news.type],
    timestamp: news.timestamp,
  };
}

function linesOf(news: PublicEvent, writing: Writing): string[] {
  const { say } = writing;
  switch (news.type) {
    case 'submission.closed':
      return [say('discord.closedText')];
    case 'submission.opened':
      return [say('discord.openedText')];
    case 'event.activated':
    case 'event.deactivated':
      return [bold(news.data.name, writing), periodOf(news.data, writing)];
    case 'claims.changed':
      return bulkLines(news, writing);
    default:
      return [...claimLines(news, writing), ...moreOf(news, writing)];
  }
}

/** Of what, and how many claims. */
function bulkLines(
  { data: { action, by, event, respawn, created, deleted } }: PublicEventOf<'claims.changed'>,
  writing: Writing,
): string[] {
  const subject = event ?? respawn;
  return [
    ...(subject ? [bold(subject.name, writing)] : []),
    writing.say(`discord.bulk.${action}`, { count: created + deleted }),
    ...(by === null ? [] : [writing.say('discord.byAdmin')]),
  ];
}

type OfClaim = PublicEventOf<
  | 'claim.created'
  | 'claim.updated'
  | 'claim.deleted'
  | 'claim.transferred'
  | 'hold.offered'
  | 'claim.no_show'
>;

/** Character, spots and hours; each part of a split claim, or of a no-show only the missed part. */
function claimLines(news: OfClaim, writing: Writing): string[] {
  const { say, longest } = writing;
  const { data: claim } = news;
  const missed = news.type === 'claim.no_show' ? news.data.part_number : null;
  const stretches = claim.is_split_claim
    ? claim.split_parts
        .filter(({ part_number }) => missed === null || part_number === missed)
        .map(({ respawn_name, hour_start, duration }) => ({
          respawn_name,
          hour_start,
          hour_end: hour_start + duration,
        }))
    : [claim];
  return [
    bold(claim.character_name, writing),
    ...stretches.map(
      (stretch) =>
        `${escapeName(stretch.respawn_name, longest)}: ${whenOf({ ...stretch, date: claim.date }, news.timestamp, writing)}`,
    ),
    ...(claim.is_secondary_claim ? [say('discord.secondary')] : []),
  ];
}

function moreOf(news: OfClaim, writing: Writing): string[] {
  const { say, longest } = writing;
  const lines: string[] = [];
  if (news.type === 'claim.updated' && news.data.before) {
    const { before } = news.data;
    const { date, hour_start, hour_end } = before;
    const spot = escapeName(before.respawn_name, longest);
    lines.push(
      date === news.data.date
        ? say('discord.before', { spot, start: hour_start, end: hour_end })
        : say('discord.beforeOn', {
            spot,
            when: whenOf(before, news.timestamp, writing),
          }),
    );
  }
  if (news.type === 'claim.transferred')
    lines.push(say('discord.transferredFrom', { name: escapeName(news.data.from, longest) }));
  const { held_until } = news.data;
  if (news.type === 'hold.offered' && held_until) {
    lines.push(
      say('discord.heldUntil', {
        time: timeTag(new Date(held_until), 't'),
        left: timeTag(new Date(held_until), 'R'),
      }),
    );
  }
  if (news.type === 'claim.deleted' && news.data.reason)
    lines.push(say(`claimHistory.reason.${news.data.reason}`));
  // The reasons say so themselves.
  else if (news.data.by !== null) lines.push(say('discord.byAdmin'));
  return lines;
}

const bold = (name: string, { longest }: Writing): string => `**${escapeName(name, longest)}**`;

type TimeStyle = 't' | 'f' | 'R';
/** Discord shows it in each reader's own time and words. */
const timeTag = (at: Date, style: TimeStyle): string =>
  `<t:${Math.floor(at.getTime() / 1000)}:${style}>`;

interface Stretch extends Pick<EventClaim, 'date'> {
  hour_start: number;
  hour_end: number;
}

function whenOf(
  { date, hour_start, hour_end }: Stretch,
  told_at: string,
  { say, clock }: Writing,
): string {
  // For a claim of a whole event any day gives the time.
  const day = date ?? serverSaveTime(new Date(told_at), clock).date;
  const from = instantOf(day, hour_start, clock);
  const until = instantOf(day, hour_end, clock);
  const hours = { start: hour_start, end: hour_end, until: timeTag(until, 't') };
  return date === null
    ? say('discord.everyDay', { ...hours, from: timeTag(from, 't') })
    : say('discord.when', { ...hours, from: timeTag(from, 'f') });
}

function periodOf(
  { start_time, end_time }: Pick<Event, 'start_time' | 'end_time'>,
  { say, clock }: Writing,
): string {
  const from = instantOf(eventDate(start_time), 0, clock);
  const until = instantOf(eventDate(end_time), HOURS_IN_DAY, clock);
  return say('discord.period', { from: timeTag(from, 'f'), until: timeTag(until, 'f') });
}
