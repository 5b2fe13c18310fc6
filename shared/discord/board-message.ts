import { claimOnRespawns } from '../rules/claim-parts.ts';
import { isHoldOver } from '../rules/holds.ts';
import type { HourRange } from '../rules/hours.ts';
import { HOURS_IN_DAY, instantOf, type ServerSaveClock } from '../rules/server-save.ts';
import type { Category } from '../schemas/category.ts';
import type { Claim } from '../schemas/claim.ts';
import type { Occupancy } from '../schemas/occupancy.ts';
import type { Respawn } from '../schemas/respawn.ts';
import type { Wait } from '../schemas/wait.ts';
import { discordTime } from './app-message.ts';
import { escapeName } from './escape.ts';
import { MAX_DESCRIPTION } from './message.ts';

/* The message that shows today's board in a channel. In `shared/`, so that the channel's form shows the same. */

type BoardSentence =
  `discord.board.${'title' | 'now' | 'later' | 'free' | 'line' | 'held' | 'waiting' | 'none' | 'noFree' | 'noCategory' | 'more' | 'moreCategories' | 'updated' | 'closed'}`;
export type SayOnBoard = (key: BoardSentence, params?: Record<string, string | number>) => string;

/** A claim of today that is not over; of a split claim one part. */
export interface BoardLine extends HourRange {
  respawn_name: string;
  character_name: string;
  is_held: boolean;
  /** Members on the waitlist for some of its hours. */
  waiting: number;
}

export interface ShownBoard {
  date: string;
  /** The SS hour that runs. */
  hour: number;
  /** In the order of their hours. */
  lines: readonly BoardLine[];
  /** Spots that nobody has now, by category; null: those without one. */
  free: readonly { category: string | null; count: number }[];
}

interface BoardRecords {
  claim: Iterable<Claim>;
  occupancy: Iterable<Occupancy>;
  wait: Iterable<Wait>;
  respawn: Iterable<Respawn>;
  category: Iterable<Category>;
}

interface Moment {
  today: string;
  hour: number;
  now: Date;
  /** Only its spots; null, or a category that is gone: all. */
  category_id: number | null;
}

type Taken = HourRange & Pick<BoardLine, 'character_name' | 'is_held'> & { respawn_id: number };

function takenToday(records: BoardRecords, { today, now }: Moment): Taken[] {
  const taken: Taken[] = [];
  for (const claim of records.claim) {
    const { date, is_secondary_claim, is_held, character_name } = claim;
    if (is_secondary_claim || (date !== null && date !== today)) continue;
    if (is_held && isHoldOver(claim, now)) continue;
    for (const { respawn_id, hour_start, hour_end } of claimOnRespawns(claim))
      taken.push({ respawn_id, hour_start, hour_end, character_name, is_held: is_held === 1 });
  }
  for (const { first_date, last_date, character_name, parts } of records.occupancy) {
    if (today < first_date || last_date < today) continue;
    for (const part of parts) taken.push({ ...part, character_name, is_held: false });
  }
  return taken;
}

/** Today's board from now on. Secondary claims keep no hours from others, and are left out. */
export function shownBoard(records: BoardRecords, moment: Moment): ShownBoard {
  const { today, hour, category_id } = moment;
  const categories = new Map([...records.category].map(({ id, name }) => [id, name]));
  const isShown = (id: number | null): boolean =>
    category_id === null || !categories.has(category_id) || id === category_id;
  const spots = new Map<number, Respawn>();
  for (const spot of records.respawn)
    if (spot.is_enabled && isShown(spot.category_id)) spots.set(spot.id, spot);
  const waits = [...records.wait].filter(({ date, position }) => date === today && position > 0);
  const lines: BoardLine[] = [];
  const busy = new Set<number>();
  for (const { respawn_id, hour_start, hour_end, ...who } of takenToday(records, moment)) {
    const spot = spots.get(respawn_id);
    if (!spot || hour_end <= hour) continue;
    if (hour_start <= hour) busy.add(respawn_id);
    const waiting = waits.filter(
      (wait) =>
        wait.respawn_id === respawn_id && wait.hour_start < hour_end && wait.hour_end > hour_start,
    ).length;
    lines.push({ respawn_name: spot.name, hour_start, hour_end, waiting, ...who });
  }
  lines.sort(
    (a, b) =>
      a.hour_start - b.hour_start ||
      a.hour_end - b.hour_end ||
      a.respawn_name.localeCompare(b.respawn_name),
  );
  const counts = new Map<string | null, number>();
  for (const { id, category_id: of } of spots.values()) {
    const category = (of === null ? null : categories.get(of)) ?? null;
    if (!busy.has(id)) counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  const free = [...counts].map(([category, count]) => ({ category, count }));
  free.sort((a, b) => (a.category ?? '\uffff').localeCompare(b.category ?? '\uffff'));
  return { date: today, hour, lines, free };
}

interface BoardEmbed {
  title: string;
  description: string;
  color: number;
  url?: string;
  footer?: { text: string };
  timestamp?: string;
}
export interface BoardMessage {
  embeds: [BoardEmbed];
  /** No member is pinged, even if a name looks like a mention. */
  allowed_mentions: { parse: [] };
}

interface BoardWriting {
  say: SayOnBoard;
  clock: ServerSaveClock;
  now: Date;
  /** The board's address; null: none is known. */
  board_url: string | null;
}

const BLUE = 0x31_82_ce;
const GREY = 0x71_80_96;
/** Characters of a name that are visible; escaping may double them. */
const LONGEST_NAME = 40;
/** Characters of the free spots: the rest is for the claims. */
const MAX_FREE = 1_000;
/** No more lines fit: a time alone has 16 characters, and a line has two. */
const MAX_LINES = 120;

const message = (embed: BoardEmbed): BoardMessage => ({
  embeds: [embed],
  allowed_mentions: { parse: [] },
});

/** Today's board within Discord's limits: lines that do not fit are counted. */
export function boardMessage(board: ShownBoard, writing: BoardWriting): BoardMessage {
  const { say, now, board_url } = writing;
  const free = freeText(board, writing);
  let listed = Math.min(board.lines.length, MAX_LINES);
  let description = describe(board, { free, listed }, writing);
  while (description.length > MAX_DESCRIPTION && listed > 0) {
    listed -= 1;
    description = describe(board, { free, listed }, writing);
  }
  return message({
    title: say('discord.board.title'),
    description,
    color: BLUE,
    ...(board_url === null ? {} : { url: board_url }),
    footer: { text: say('discord.board.updated') },
    timestamp: now.toISOString(),
  });
}

/** What the message becomes when it is no longer kept. */
export const closedBoardMessage = (say: SayOnBoard): BoardMessage =>
  message({
    title: say('discord.board.title'),
    description: say('discord.board.closed'),
    color: GREY,
  });

function describe(
  { date, hour, lines }: ShownBoard,
  { free, listed }: { free: string; listed: number },
  writing: BoardWriting,
): string {
  const { say, clock, board_url } = writing;
  const running = lines.filter(({ hour_start }) => hour_start <= hour);
  // The first ones of both, in this order.
  const ordered = [...running, ...lines.filter(({ hour_start }) => hour_start > hour)];
  const texts = ordered.slice(0, listed).map((line) => lineText(line, { date, writing }));
  const section = (title: 'now' | 'later', part: string[]): string[] =>
    part.length === 0 ? [] : [`**${say(`discord.board.${title}`)}**`, ...part, ''];
  const left = lines.length - listed;
  const more = say('discord.board.more', { count: left });
  return [
    discordTime(instantOf(date, 0, clock), 'D'),
    '',
    ...(lines.length === 0 ? [say('discord.board.none'), ''] : []),
    ...section('now', texts.slice(0, running.length)),
    ...section('later', texts.slice(running.length)),
    ...(left === 0 ? [] : [board_url === null ? more : `[${more}](${board_url})`, '']),
    `**${say('discord.board.free')}**`,
    free,
  ].join('\n');
}

function lineText(
  { hour_start, hour_end, respawn_name, character_name, is_held, waiting }: BoardLine,
  { date, writing: { say, clock } }: { date: string; writing: BoardWriting },
): string {
  const params = {
    from: discordTime(instantOf(date, hour_start, clock), 't'),
    until: discordTime(instantOf(date, Math.min(hour_end, HOURS_IN_DAY), clock), 't'),
    spot: escapeName(respawn_name, LONGEST_NAME),
    name: escapeName(character_name, LONGEST_NAME),
  };
  const line = is_held ? say('discord.board.held', params) : say('discord.board.line', params);
  return waiting === 0 ? line : `${line} · ${say('discord.board.waiting', { count: waiting })}`;
}

function freeText({ free }: ShownBoard, { say }: BoardWriting): string {
  if (free.length === 0) return say('discord.board.noFree');
  const texts: string[] = [];
  let length = 0;
  for (const { category, count } of free) {
    const name =
      category === null ? say('discord.board.noCategory') : escapeName(category, LONGEST_NAME);
    const text = `${name} **${count}**`;
    length += text.length + 3;
    if (length > MAX_FREE)
      return [
        ...texts,
        say('discord.board.moreCategories', { count: free.length - texts.length }),
      ].join(' · ');
    texts.push(text);
  }
  return texts.join(' · ');
}
