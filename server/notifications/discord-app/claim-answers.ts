import { dayEmbed, discordTime } from '../../../shared/discord/app-message.ts';
import { escapeName } from '../../../shared/discord/escape.ts';
import { DomainError } from '../../../shared/errors.ts';
import { fitsAt, roomAt } from '../../../shared/rules/free-at.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { HOURS_IN_DAY, instantOf } from '../../../shared/rules/server-save.ts';
import { claimInput } from '../../../shared/schemas/claim.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { waitInput } from '../../../shared/schemas/wait.ts';
import { submitClaims } from '../../board/claims/submit.ts';
import { starsOf } from '../../board/stars/stars.ts';
import { joinWaitlist } from '../../board/waitlist/member-actions.ts';
import type { PressedOf } from './custom-ids.ts';
import { freeHours, hoursPast, spotDay, startsOf, takenOn, typeNamed, voucherOf } from './day.ts';
import type { LinkedCharacter } from './links.ts';
import { button, type Component, type Message, row, select } from './message-parts.ts';
import { MAX_OPTIONS } from './option-text.ts';
import { localTime } from './suggestions.ts';
import {
  actingAs,
  callerOf,
  characterOfKey,
  dateOf,
  done,
  hoursGiven,
  hoursOf,
  inApp,
  openBoard,
  spotById,
  spotsOf,
  type Turn,
} from './turn.ts';

/* Claiming, looking and waiting. Each write is the operation of its REST call. */

const MAX_SPOTS = 10;

/** The spot, date and character that a member's command is about. */
interface Target {
  character: LinkedCharacter;
  spot: Respawn;
  date: string;
}

/** The target of a button. @throws DomainError discord.notYours, discord.buttonExpired */
const targetOf = (
  turn: Turn,
  { spot_id, key_id, date }: { spot_id: number; key_id: number; date: string },
): Target => ({
  spot: spotById(turn, spot_id),
  character: characterOfKey(turn, key_id),
  date,
});

/** A claim of the given hours. */
async function claim(
  turn: Turn,
  { character, spot, date }: Target,
  { hour_start, hour_end }: HourRange,
): Promise<Message> {
  const input = claimInput.parse({
    respawn_id: spot.id,
    character_name: character.character_name,
    date,
    hour_start,
    hour_end,
  });
  const by = callerOf(character);
  // In a single_claim event, the claim covers every date.
  const [made] = await submitClaims(turn.ctx, by, {
    claims: [turn.board.event?.type === 'single_claim' ? { ...input, date: null } : input],
  });
  const range = made ?? { hour_start, hour_end };
  const params = {
    name: escapeName(character.character_name),
    spot: escapeName(spot.name),
    hours: hoursOf(turn, date, range),
  };
  return {
    content: `${turn.say('discordApp.youClaimed', params)}\n${discordTime(instantOf(date, range.hour_start, turn.board.clock), 'D')}`,
    embeds: [],
    components: openBoard(turn, date, spot),
  };
}

/** `/claim`: claims, or offers free starts, then durations, as far as they are missing. */
export async function claimCommand(turn: Turn): Promise<Message> {
  const character = actingAs(turn);
  const [spot, ...others] = spotsOf(turn);
  const date = dateOf(turn);
  const { start, hours } = hoursGiven(turn);
  if (others.length === 0) return claimOn(turn, { character, spot, date }, { start, hours });
  return whichSpot(
    turn,
    `which-claim|${date}|${start ?? ''}|${hours ?? ''}|${character.access_key_id}`,
    [spot, ...others],
  );
}

export const claimMeant = (turn: Turn, pressed: PressedOf<'which-claim'>): Promise<Message> =>
  claimOn(turn, targetOf(turn, pressed), pressed);

async function claimOn(
  turn: Turn,
  target: Target,
  { start, hours }: { start: number | null; hours: number | null },
): Promise<Message> {
  if (start === null) return startsMessage(turn, target);
  const longest = longestAt(turn, target, start);
  if (hours === null && longest > 0) return durationsMessage(turn, target, { start, longest });
  // A taken start is refused in the words of the rule.
  return claim(turn, target, { hour_start: start, hour_end: start + (hours ?? 1) });
}

/** A select of the spots that a typed name may mean. @param custom_id the action that gets the chosen one */
function whichSpot({ say, option }: Turn, custom_id: string, spots: readonly Respawn[]): Message {
  const options = spots.slice(0, MAX_OPTIONS).map(({ id, name, category_name }) => ({
    value: String(id),
    label: name,
    ...(category_name !== null && { description: category_name }),
  }));
  return {
    content: say('discordApp.whichSpot', { spot: escapeName(option('spot')) }),
    embeds: [],
    components: [row(select(custom_id, say('discordApp.chooseMeant'), options))],
  };
}

/** The free starts of a spot's day for one hour and more, as far as the member may claim. */
const startsFor = ({ board }: Turn, { spot, date, character }: Target) =>
  startsOf(spotDay(board, spot, date), board, {
    duration: 1,
    voucher: voucherOf(board, character.member_type),
  });

const longestAt = (turn: Turn, target: Target, start: number): number =>
  startsFor(turn, target)[start]?.max_duration ?? 0;

/** A select of the free starts of a spot's day. */
function startsMessage(turn: Turn, target: Target): Message {
  const { board, say, language } = turn;
  const { spot, date, character } = target;
  const starts = startsFor(turn, target).filter(({ max_duration }) => max_duration > 0);
  if (starts.length === 0)
    return {
      content: say('discordApp.noFree'),
      components: [row(joinButton(turn, target)), ...openBoard(turn, date, spot)],
    };
  const options = starts.map(({ hour, max_duration }) => ({
    value: String(hour),
    label: say('discordApp.start', {
      start: hour,
      when: localTime(board, language, { date, hour }),
    }),
    description: say('discordApp.upTo', { count: max_duration }),
  }));
  const chooser = select(
    `start|${spot.id}|${date}|${character.access_key_id}`,
    say('discordApp.chooseStart'),
    options,
  );
  return { embeds: [embedOf(turn, target)], components: [row(chooser)] };
}

/** The chosen start: a select of durations. */
export function startChosen(turn: Turn, pressed: PressedOf<'start'>): Message {
  const target = targetOf(turn, pressed);
  const { start } = pressed;
  const longest = longestAt(turn, target, start);
  if (longest === 0) throw new DomainError('discord.buttonExpired');
  return durationsMessage(turn, target, { start, longest });
}

function durationsMessage(
  turn: Turn,
  { spot, date, character: { access_key_id } }: Target,
  { start, longest }: { start: number; longest: number },
): Message {
  const options = Array.from({ length: longest }, (_, at) => {
    const count = at + 1;
    return {
      value: String(count),
      label: turn.say('discordApp.forHours', { count }),
      description: turn.say('time.range', { start, end: start + count }),
    };
  });
  const chooser = select(
    `length|${spot.id}|${date}|${start}|${access_key_id}`,
    turn.say('discordApp.chooseHours'),
    options,
  );
  return {
    content: turn.say('discordApp.startChosen', { spot: escapeName(spot.name), start }),
    embeds: [],
    components: [row(chooser)],
  };
}

/** The chosen duration, or the chosen spot of `/free`: the claim. */
export function claimChosen(turn: Turn, pressed: PressedOf<'length' | 'pick'>): Promise<Message> {
  const { start, hours } = pressed;
  return claim(turn, targetOf(turn, pressed), { hour_start: start, hour_end: start + hours });
}

function embedOf(turn: Turn, { spot, date }: Pick<Target, 'spot' | 'date'>) {
  const { board, say, characters } = turn;
  const day = spotDay(board, spot, date);
  const own = day.taken.find(({ character_name }) =>
    characters.some((each) => nameKey(each.character_name) === nameKey(character_name)),
  );
  const type = typeNamed(board.records, (own ?? day.taken[0])?.member_type ?? null);
  return dayEmbed(
    {
      ...day,
      respawn_name: spot.name,
      free: freeHours(day),
      background_color: type?.background_color ?? null,
    },
    inApp(say),
    board.clock,
  );
}

const joinButton = (
  { say }: Turn,
  { spot, date, character: { access_key_id } }: Target,
): Component => button(`join|${spot.id}|${date}|${access_key_id}`, say('discordApp.joinWaitlist'));

/** `/spot`: that spot's day. */
export function spotCommand(turn: Turn): Message {
  const [spot, ...others] = spotsOf(turn);
  const date = dateOf(turn);
  const character = actingAs(turn);
  if (others.length > 0)
    return whichSpot(turn, `which-spot|${date}|${character.access_key_id}`, [spot, ...others]);
  return dayMessage(turn, { spot, date, character });
}

export const spotMeant = (turn: Turn, pressed: PressedOf<'which-spot'>): Message => ({
  content: '',
  ...dayMessage(turn, targetOf(turn, pressed)),
});

function dayMessage(turn: Turn, target: Target): Message {
  const { spot, date, character } = target;
  const claimButton = button(
    `claim|${spot.id}|${date}|${character.access_key_id}`,
    turn.say('discordApp.claim'),
    'primary',
  );
  const [link] = openBoard(turn, date, spot);
  return {
    embeds: [embedOf(turn, target)],
    components: [row(claimButton, joinButton(turn, target)), ...(link ? [link] : [])],
  };
}

/** Claims of a character that are read for its favourite categories, on the board and in the archive each; the latest. */
const MAX_PAST_CLAIMS = 200;

/** How often a character claimed in each category. */
async function claimsByCategory(
  { ctx: { db }, board }: Turn,
  { character_name }: LinkedCharacter,
): Promise<Map<number | null, number>> {
  const character_key = nameKey(character_name);
  const spots = [
    ...(await db
      .selectFrom('claims')
      .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
      .select('claim_parts.respawn_id')
      .where('claims.character_key', '=', character_key)
      .where('held_until', 'is', null)
      .orderBy('claims.date', 'desc')
      .limit(MAX_PAST_CLAIMS)
      .execute()),
    ...(await db
      .selectFrom('archived_claims')
      .innerJoin('archived_claim_parts', 'archived_claim_parts.claim_id', 'archived_claims.id')
      .select('archived_claim_parts.respawn_id')
      .where('archived_claims.character_key', '=', character_key)
      .orderBy('archived_claims.last_date', 'desc')
      .limit(MAX_PAST_CLAIMS)
      .execute()),
  ];
  const categories = new Map(board.records.respawn.map(({ id, category_id }) => [id, category_id]));
  const counts = new Map<number | null, number>();
  for (const { respawn_id } of spots) {
    const category = categories.get(respawn_id) ?? null;
    if (category !== null) counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  return counts;
}

/** `/free`: spots that are free then, the first ten: the character's starred ones, then by its most claimed categories, then by name. */
export async function freeCommand(turn: Turn): Promise<Message> {
  const { board, say } = turn;
  const character = actingAs(turn);
  const date = dateOf(turn);
  const voucher = voucherOf(board, character.member_type);
  const given = hoursGiven(turn);
  const hour_start = given.start ?? (date === board.today ? board.hour : 0);
  const duration = given.hours ?? Math.min(voucher, HOURS_IN_DAY - hour_start);
  if (hour_start + duration > HOURS_IN_DAY) throw new DomainError('times.exceedsDay');
  const claimed = await claimsByCategory(turn, character);
  const starred = new Set((await starsOf(turn.ctx.db, nameKey(character.character_name))).ids);
  const rank = ({ category_id }: Respawn): number => claimed.get(category_id) ?? 0;
  const taken = takenOn(board, date);
  const free = board.records.respawn
    .filter(({ id }) =>
      fitsAt(
        { hour_start, duration },
        roomAt({ hour_start, duration }, taken.get(id) ?? [], hoursPast(board, date)),
      ),
    )
    .sort(
      (a, b) =>
        Number(starred.has(b.id)) - Number(starred.has(a.id)) ||
        rank(b) - rank(a) ||
        a.name.localeCompare(b.name),
    );
  const hours = hoursOf(turn, date, { hour_start, hour_end: hour_start + duration });
  if (free.length === 0)
    return {
      content: say('discordApp.nothingFree', { hours }),
      components: openBoard(turn, date, null),
    };
  const listed = free.slice(0, MAX_SPOTS);
  const star = (id: number): string => (starred.has(id) ? '★ ' : '');
  const list = listed.map(
    ({ id, name, category_name }) =>
      `${star(id)}${escapeName(name)}${category_name ? ` · ${escapeName(category_name)}` : ''}`,
  );
  const options = listed.map(({ id, name }) => ({
    value: String(id),
    label: `${star(id)}${name}`,
  }));
  const chooser = select(
    `pick|${date}|${hour_start}|${duration}|${character.access_key_id}`,
    say('discordApp.chooseSpot'),
    options,
  );
  const heading = say('discordApp.freeThen', { hours, count: free.length });
  return {
    content: `${discordTime(instantOf(date, hour_start, board.clock), 'D')} · ${heading}\n${list.join('\n')}`,
    components: [row(chooser), ...openBoard(turn, date, null)],
  };
}

/** `/wait`: joins the waitlist. */
export async function waitCommand(turn: Turn): Promise<Message> {
  const character = actingAs(turn);
  const [spot, ...others] = spotsOf(turn);
  const date = dateOf(turn);
  const { start, hours } = hoursGiven(turn);
  const hour_start = start ?? 0;
  const duration = hours ?? 1;
  if (others.length === 0)
    return join(turn, { character, spot, date }, { hour_start, hour_end: hour_start + duration });
  return whichSpot(
    turn,
    `which-wait|${date}|${hour_start}|${duration}|${character.access_key_id}`,
    [spot, ...others],
  );
}

export const waitMeant = (turn: Turn, pressed: PressedOf<'which-wait'>): Promise<Message> =>
  join(turn, targetOf(turn, pressed), {
    hour_start: pressed.start,
    hour_end: pressed.start + pressed.hours,
  });

async function join(
  turn: Turn,
  { character, spot, date }: Target,
  range: HourRange,
): Promise<Message> {
  const entry = await joinWaitlist(
    turn.ctx,
    callerOf(character),
    waitInput.parse({ respawn_id: spot.id, date, ...range }),
  );
  const params = {
    spot: escapeName(spot.name),
    hours: hoursOf(turn, date, entry),
    position: entry.position,
  };
  return { content: turn.say('discordApp.joined', params), embeds: [], components: [] };
}

/** The button below a spot's day: a select of the hours that others have, no longer than the member may claim. */
export function joinMessage(turn: Turn, pressed: PressedOf<'join'>): Message {
  const { spot, date, character } = targetOf(turn, pressed);
  const voucher = voucherOf(turn.board, character.member_type);
  const { taken, over } = spotDay(turn.board, spot, date);
  const options = taken
    .filter(({ character_name }) => nameKey(character_name) !== nameKey(character.character_name))
    .flatMap(({ hour_start, hour_end, character_name }) => {
      const from = Math.max(hour_start, over);
      const runs = Array.from(
        { length: Math.ceil(Math.max(0, hour_end - from) / voucher) },
        (_, nth) => from + nth * voucher,
      );
      return runs.map((start) => ({
        start,
        end: Math.min(start + voucher, hour_end),
        character_name,
      }));
    })
    .slice(0, MAX_OPTIONS)
    .map(({ start, end, character_name }) => ({
      value: `${start}-${end}`,
      label: turn.say('time.range', { start, end }),
      description: character_name,
    }));
  if (options.length === 0) return done(turn.say('discordApp.nothingToWaitFor'));
  const chooser = select(
    `join-hours|${spot.id}|${date}|${character.access_key_id}`,
    turn.say('discordApp.chooseWaitHours'),
    options,
  );
  return { content: '', embeds: [], components: [row(chooser)] };
}

/** The chosen hours: joins. */
export const joinChosen = (turn: Turn, pressed: PressedOf<'join-hours'>): Promise<Message> =>
  join(turn, targetOf(turn, pressed), pressed.range);

/** The button `Claim…` below a spot's day. */
export const claimHere = (turn: Turn, pressed: PressedOf<'claim'>): Message =>
  startsMessage(turn, targetOf(turn, pressed));
