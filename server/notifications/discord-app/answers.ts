import { dayEmbed, discordTime, hoursText, type SayInApp } from '../../../shared/discord/app-message.ts';
import { escapeName } from '../../../shared/discord/escape.ts';
import { DomainError } from '../../../shared/errors.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { confirmTime } from '../../../shared/rules/confirm.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { fitsAt, roomAt } from '../../../shared/rules/free-at.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { releaseOf } from '../../../shared/rules/release.ts';
import { HOURS_IN_DAY, instantOf } from '../../../shared/rules/server-save.ts';
import { type Claim, claimInput } from '../../../shared/schemas/claim.ts';
import type { Language } from '../../../shared/schemas/destination.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { type Wait, waitInput } from '../../../shared/schemas/wait.ts';
import { confirmClaim } from '../../board/claims/confirm.ts';
import { releaseClaim } from '../../board/claims/end-claims.ts';
import { submitClaims } from '../../board/claims/submit.ts';
import { acceptOffer, declineOffer, type Joining, joinWaitlist, leaveWaitlist } from '../../board/waitlist/member-actions.ts';
import type { Reader } from '../../db/database.ts';
import type { Settings } from '../../env.ts';
import type { KeyHolder } from '../../http/caller.ts';
import { sentencesIn } from '../../http/errors.ts';
import {
  type BoardNow,
  type BoardReader,
  claimableDates,
  freeHours,
  hoursPast,
  nearDate,
  readBoard,
  spotDay,
  spotsNamed,
  startsOf,
  takenOn,
  typeNamed,
  voucherOf,
} from './day.ts';
import { charactersOf, type DiscordUser, type LinkedCharacter } from './links.ts';
import { button, type Component, linkButton, type Message, row, select } from './message-parts.ts';
import { localTime } from './suggestions.ts';

/* The answers of commands and buttons. Each write is the operation of its REST call. */

export interface AnswerContext extends Reader, BoardReader, Joining, Settings {}

/** One command or pressed button, of a linked user. */
export interface CommandRequest {
  ctx: AnswerContext;
  user: DiscordUser;
  language: Language;
  /** The option of a command as text, '' without it. */
  option: (name: string) => string;
}

/** Discord's upper bound of choices and of options of a select. */
const MAX_OPTIONS = 25;
const MAX_SPOTS = 10;

interface Turn extends CommandRequest {
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
const principal = ({ access_key }: LinkedCharacter): Pick<KeyHolder, 'role' | 'access_key' | 'via'> => ({
  role: 'member',
  access_key,
  via: 'discord',
});

/** The character that was named, or the first. @throws DomainError discord.notYours */
function actingAs({ characters, option }: Turn): LinkedCharacter {
  const named = option('character');
  const found = named === '' ? characters[0] : characters.find(({ character_name }) => nameKey(character_name) === nameKey(named));
  if (!found) throw new DomainError('discord.notYours', { character_name: escapeName(named) });
  return found;
}

/** @throws DomainError discord.notYours */
function characterOfKey({ characters }: Turn, key_id: string): LinkedCharacter {
  const found = characters.find(({ access_key_id }) => String(access_key_id) === key_id);
  if (!found) throw new DomainError('discord.notYours', { character_name: '' });
  return found;
}

/** @throws DomainError discord.unknownSpot */
function spotOf({ board }: Turn, typed: string): Respawn {
  // A chosen suggestion is an id; typed text takes the best match.
  const found = /^\d+$/.test(typed) ? board.records.respawn.find(({ id }) => id === Number(typed)) : spotsNamed(board, typed, 1)[0];
  if (!found || typed === '') throw new DomainError('discord.unknownSpot', { spot: escapeName(typed) });
  return found;
}

/** @throws DomainError discord.unknownDate */
function dateOf({ board }: Turn, typed: string): string {
  if (typed === '') return claimableDates(board, 1)[0] ?? board.today;
  const date = nearDate(board, typed);
  if (date === null) throw new DomainError('discord.unknownDate', { date: escapeName(typed) });
  return date;
}

/** Whole hours in a text such as `SS+10` or `10`, at most `most`; null: none were given. @throws DomainError discord.unknownHour */
function hourOf(typed: string, most: number): number | null {
  if (typed === '') return null;
  const [, digits] = /^(?:ss)?\+?(\d{1,2})h?$/i.exec(typed.replace(/\s+/g, '')) ?? [];
  if (digits === undefined || Number(digits) > most) throw new DomainError('discord.unknownHour', { hour: escapeName(typed) });
  return Number(digits);
}

/** The sentences that `shared/discord` needs. */
const inApp =
  (say: Turn['say']): SayInApp =>
  (key, params = {}) =>
    say(key, params);

const hoursOf = ({ board, say }: Turn, date: string, range: HourRange): string => hoursText(range, date, inApp(say), board.clock);

/** A claim of the given hours. */
async function claim(
  turn: Turn,
  character: LinkedCharacter,
  spot: Respawn,
  date: string,
  { hour_start, hour_end }: HourRange,
): Promise<Message> {
  const input = claimInput.parse({ respawn_id: spot.id, character_name: character.character_name, date, hour_start, hour_end });
  const by = principal(character);
  // In a single_claim event, the claim covers every date.
  const [made] = await submitClaims(turn.ctx, by, {
    claims: [turn.board.event?.type === 'single_claim' ? { ...input, date: null } : input],
  });
  const range = made ?? { hour_start, hour_end };
  const params = { name: escapeName(character.character_name), spot: escapeName(spot.name), hours: hoursOf(turn, date, range) };
  return {
    content: `${turn.say('discordApp.youClaimed', params)}\n${discordTime(instantOf(date, range.hour_start, turn.board.clock), 'D')}`,
    embeds: [],
    components: openBoard(turn, date, spot),
  };
}

/** `/claim`: claims, or offers free starts, then durations. */
export async function claimCommand(turn: Turn): Promise<Message> {
  const [character, spot] = [actingAs(turn), spotOf(turn, turn.option('spot'))];
  const date = dateOf(turn, turn.option('date'));
  const start = hourOf(turn.option('start'), HOURS_IN_DAY - 1);
  const hours = hourOf(turn.option('hours'), HOURS_IN_DAY);
  if (start === null) return startsMessage(turn, spot, date, character);
  const voucher = voucherOf(turn.board, character.member_type);
  return claim(turn, character, spot, date, {
    hour_start: start,
    hour_end: start + (hours ?? Math.max(1, longestAt(turn, spot, date, start, voucher))),
  });
}

function longestAt({ board }: Turn, spot: Respawn, date: string, start: number, voucher: number): number {
  return startsOf(spotDay(board, spot, date), board, 1, voucher)[start]?.max_duration ?? 0;
}

/** A select of the free starts of a spot's day. */
function startsMessage(turn: Turn, spot: Respawn, date: string, character: LinkedCharacter): Message {
  const { board, say } = turn;
  const day = spotDay(board, spot, date);
  const starts = startsOf(day, board, 1, voucherOf(board, character.member_type)).filter(({ max_duration }) => max_duration > 0);
  if (starts.length === 0)
    return {
      content: say('discordApp.noFree'),
      components: [row(joinButton(turn, spot, date, character)), ...openBoard(turn, date, spot)],
    };
  const options = starts.map(({ hour, max_duration }) => ({
    value: String(hour),
    label: say('discordApp.start', { start: hour, when: localTime(board, turn.language, date, hour) }),
    description: say('discordApp.upTo', { count: max_duration }),
  }));
  const chooser = select(`start|${spot.id}|${date}|${character.access_key_id}`, say('discordApp.chooseStart'), options);
  return { embeds: [embedOf(turn, spot, date)], components: [row(chooser)] };
}

/** The chosen start: a select of durations. */
export function durationsMessage(turn: Turn, [spot_id = '', date = '', key_id = '']: readonly string[], start: number): Message {
  const [spot, character] = [spotOf(turn, spot_id), characterOfKey(turn, key_id)];
  const most = longestAt(turn, spot, date, start, voucherOf(turn.board, character.member_type));
  if (most === 0) throw new DomainError('discord.buttonExpired');
  const options = Array.from({ length: most }, (_, at) => {
    const range = { hour_start: start, hour_end: start + at + 1 };
    return {
      value: String(at + 1),
      label: turn.say('discordApp.forHours', { count: at + 1 }),
      description: `SS+${range.hour_start} – SS+${range.hour_end}`,
    };
  });
  const chooser = select(`length|${spot.id}|${date}|${start}|${character.access_key_id}`, turn.say('discordApp.chooseHours'), options);
  return { content: turn.say('discordApp.startChosen', { spot: escapeName(spot.name), start }), embeds: [], components: [row(chooser)] };
}

/** The chosen duration: the claim. */
export function claimChosen(
  turn: Turn,
  [spot_id = '', date = '', start = '', key_id = '']: readonly string[],
  hours: number,
): Promise<Message> {
  const hour_start = Number(start);
  return claim(turn, characterOfKey(turn, key_id), spotOf(turn, spot_id), date, { hour_start, hour_end: hour_start + hours });
}

function embedOf(turn: Turn, spot: Respawn, date: string) {
  const { board, say, characters } = turn;
  const day = spotDay(board, spot, date);
  const own = day.taken.find(({ character_name }) => characters.some((each) => nameKey(each.character_name) === nameKey(character_name)));
  const type = typeNamed(board.records, (own ?? day.taken[0])?.member_type ?? null);
  return dayEmbed(
    { ...day, respawn_name: spot.name, free: freeHours(day), background_color: type?.background_color ?? null },
    inApp(say),
    board.clock,
  );
}

/** A link to the board, where its address is known. */
function openBoard({ ctx, say }: Turn, date: string, spot: Respawn | null): Component[] {
  if (!ctx.env.PUBLIC_URL) return [];
  const query = new URLSearchParams({ date, ...(spot && { search: spot.name }) });
  return [row(linkButton(say('discordApp.openBoard'), `${ctx.env.PUBLIC_URL}/?${query}`))];
}

const joinButton = ({ say }: Turn, spot: Respawn, date: string, { access_key_id }: LinkedCharacter): Component =>
  button(`join|${spot.id}|${date}|${access_key_id}`, say('discordApp.joinWaitlist'));

/** `/spot`: that spot's day. */
export function spotCommand(turn: Turn): Message {
  const spot = spotOf(turn, turn.option('spot'));
  const date = dateOf(turn, turn.option('date'));
  const character = actingAs(turn);
  const claimButton = button(`claim|${spot.id}|${date}|${character.access_key_id}`, turn.say('discordApp.claim'), 'primary');
  const [link] = openBoard(turn, date, spot);
  return {
    embeds: [embedOf(turn, spot, date)],
    components: [row(claimButton, joinButton(turn, spot, date, character)), ...(link ? [link] : [])],
  };
}

/** `/free`: spots that are free then, the first ten: own categories of past claims first, then by name. */
export function freeCommand(turn: Turn): Message {
  const { board, say } = turn;
  const character = actingAs(turn);
  const date = dateOf(turn, turn.option('date'));
  const voucher = voucherOf(board, character.member_type);
  const hour_start = hourOf(turn.option('start'), HOURS_IN_DAY - 1) ?? (date === board.today ? board.hour : 0);
  const duration = hourOf(turn.option('hours'), HOURS_IN_DAY) ?? Math.min(voucher, HOURS_IN_DAY - hour_start);
  if (hour_start + duration > HOURS_IN_DAY) throw new DomainError('times.exceedsDay');
  const mine = new Set(
    board.records.claim
      .filter(({ character_name }) => nameKey(character_name) === nameKey(character.character_name))
      .map(({ respawn_id }) => respawn_id),
  );
  const categories = new Set(board.records.respawn.filter(({ id }) => mine.has(id)).map(({ category_id }) => category_id));
  const taken = takenOn(board, date);
  const free = board.records.respawn
    .filter(({ id }) => fitsAt({ hour_start, duration }, roomAt({ hour_start, duration }, taken.get(id) ?? [], hoursPast(board, date))))
    .sort((a, b) => Number(categories.has(b.category_id)) - Number(categories.has(a.category_id)) || a.name.localeCompare(b.name));
  const hours = hoursOf(turn, date, { hour_start, hour_end: hour_start + duration });
  if (free.length === 0) return { content: say('discordApp.nothingFree', { hours }), components: openBoard(turn, date, null) };
  const listed = free.slice(0, MAX_SPOTS);
  const list = listed.map(({ name, category_name }) => `${escapeName(name)}${category_name ? ` · ${escapeName(category_name)}` : ''}`);
  const options = listed.map(({ id, name }) => ({ value: String(id), label: name }));
  const chooser = select(`pick|${date}|${hour_start}|${duration}|${character.access_key_id}`, say('discordApp.chooseSpot'), options);
  const heading = say('discordApp.freeThen', { hours, count: free.length });
  return {
    content: `${discordTime(instantOf(date, hour_start, board.clock), 'D')} · ${heading}\n${list.join('\n')}`,
    components: [row(chooser), ...openBoard(turn, date, null)],
  };
}

/** The chosen spot of `/free`: the claim. */
export function claimPicked(
  turn: Turn,
  [date = '', start = '', hours = '', key_id = '']: readonly string[],
  spot_id: string,
): Promise<Message> {
  const hour_start = Number(start);
  return claim(turn, characterOfKey(turn, key_id), spotOf(turn, spot_id), date, { hour_start, hour_end: hour_start + Number(hours) });
}

/** `/wait`: joins the waitlist. */
export async function waitCommand(turn: Turn): Promise<Message> {
  const [character, spot] = [actingAs(turn), spotOf(turn, turn.option('spot'))];
  const [start, hours] = [hourOf(turn.option('start'), HOURS_IN_DAY - 1), hourOf(turn.option('hours'), HOURS_IN_DAY)];
  return join(turn, character, spot, dateOf(turn, turn.option('date')), { hour_start: start ?? 0, hour_end: (start ?? 0) + (hours ?? 1) });
}

async function join(turn: Turn, character: LinkedCharacter, spot: Respawn, date: string, range: HourRange): Promise<Message> {
  const entry = await joinWaitlist(turn.ctx, principal(character), waitInput.parse({ respawn_id: spot.id, date, ...range }));
  const params = { spot: escapeName(spot.name), hours: hoursOf(turn, date, entry), position: entry.position };
  return { content: turn.say('discordApp.joined', params), embeds: [], components: [] };
}

/** The button below a spot's day: a select of the hours that others have, no longer than the member may claim. */
export function joinMessage(turn: Turn, [spot_id = '', date = '', key_id = '']: readonly string[]): Message {
  const [spot, character] = [spotOf(turn, spot_id), characterOfKey(turn, key_id)];
  const voucher = voucherOf(turn.board, character.member_type);
  const { taken, over } = spotDay(turn.board, spot, date);
  const options = taken
    .filter(({ character_name }) => nameKey(character_name) !== nameKey(character.character_name))
    .flatMap(({ hour_start, hour_end, character_name }) => {
      const from = Math.max(hour_start, over);
      const runs = Array.from({ length: Math.ceil(Math.max(0, hour_end - from) / voucher) }, (_, nth) => from + nth * voucher);
      return runs.map((start) => ({ start, end: Math.min(start + voucher, hour_end), character_name }));
    })
    .slice(0, MAX_OPTIONS)
    .map(({ start, end, character_name }) => ({ value: `${start}-${end}`, label: `SS+${start} – SS+${end}`, description: character_name }));
  if (options.length === 0) return done(turn.say('discordApp.nothingToWaitFor'));
  const chooser = select(`join-hours|${spot.id}|${date}|${character.access_key_id}`, turn.say('discordApp.chooseWaitHours'), options);
  return { content: '', embeds: [], components: [row(chooser)] };
}

/** The chosen hours: joins. */
export function joinChosen(turn: Turn, [spot_id = '', date = '', key_id = '']: readonly string[], hours: string): Promise<Message> {
  const [hour_start = 0, hour_end = 0] = hours.split('-').map(Number);
  return join(turn, characterOfKey(turn, key_id), spotOf(turn, spot_id), date, { hour_start, hour_end });
}

const isMine = ({ characters }: Turn, name: string): boolean =>
  characters.some(({ character_name }) => nameKey(character_name) === nameKey(name));

/** Discord's upper bound of rows of buttons. */
const MAX_ROWS = 5;
/** Characters of the list; Discord takes 2,000. */
const MAX_LIST_LENGTH = 1_900;

/** `/mine`: holds, claims to confirm, upcoming claims and waitlist entries, with buttons for the actions that are allowed. */
export function mineCommand(turn: Turn): Message {
  const { board, say } = turn;
  const named = turn.option('character');
  const isListed = (name: string): boolean => isMine(turn, name) && (named === '' || nameKey(name) === nameKey(named));
  const entries = [
    ...board.records.wait
      .filter(({ character_name, position, status }) => isListed(character_name) && (position > 0 || status === 'offered'))
      .map((entry) => entryOf(turn, entry)),
    ...board.records.claim.filter((each) => isListed(each.character_name) && each.is_held === 0).flatMap((each) => partsOf(turn, each)),
  ].sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent) || a.at - b.at);
  if (entries.length === 0) return { content: say('discordApp.nothingMine'), components: openBoard(turn, board.today, null) };
  const lines: string[] = [];
  const rows: Component[] = [];
  for (const [at, { line, actions }] of entries.entries()) {
    const numbered = `${at + 1}. ${line}`;
    if (lines.join('\n').length + numbered.length > MAX_LIST_LENGTH) break;
    lines.push(numbered);
    // The number tells the buttons of one entry from those of another.
    if (actions.length > 0 && rows.length < MAX_ROWS)
      rows.push(row(...actions.map(({ custom_id, label, style }) => button(custom_id, `${at + 1} · ${label}`, style))));
  }
  return { content: lines.join('\n'), embeds: [], components: rows };
}

interface Action {
  custom_id: string;
  label: string;
  style?: 'primary' | 'secondary';
}

interface Mine {
  line: string;
  actions: Action[];
  at: number;
  /** Something ends unless the member answers. */
  isUrgent: boolean;
}

const nameOfSpot = ({ board }: Turn, id: number): string => escapeName(board.records.respawn.find((spot) => spot.id === id)?.name ?? '?');

function entryOf(turn: Turn, entry: Wait): Mine {
  const { say, board } = turn;
  const params = {
    spot: nameOfSpot(turn, entry.respawn_id),
    hours: hoursOf(turn, entry.date, entry),
    name: escapeName(entry.character_name),
    position: entry.position,
  };
  const at = instantOf(entry.date, entry.hour_start, board.clock).getTime();
  if (entry.status === 'offered' && entry.held_until !== null && entry.held_claim_id !== null) {
    const line = say('discordApp.mineHold', { ...params, left: discordTime(new Date(entry.held_until), 'R') });
    const target = `${entry.id}|${entry.held_claim_id}`;
    const take: Action = { custom_id: `take|${target}`, label: say('discordApp.take'), style: 'primary' };
    return { line, at, isUrgent: true, actions: [take, { custom_id: `decline|${target}`, label: say('discordApp.decline') }] };
  }
  const leaving = { custom_id: `leave|${entry.id}`, label: say('discordApp.leave') };
  return { line: say('discordApp.mineEntry', params), at, isUrgent: false, actions: [leaving] };
}

/** The parts of a claim that are not over. A claim for every date of its event has no buttons: it can't be released or confirmed. */
function partsOf(turn: Turn, claim: Claim): Mine[] {
  const { board, say } = turn;
  const firstDate = board.event ? eventDate(board.event.start_time) : board.today;
  const date = claim.date ?? (firstDate > board.today ? firstDate : board.today);
  const isOver = ({ hour_end }: HourRange): boolean =>
    date < board.today || (claim.date !== null && date === board.today && hour_end <= board.hour);
  return claimOnRespawns(claim)
    .filter((part) => !isOver(part))
    .map((part) => {
      const number = part.split_part_number ?? 1;
      const [config] = board.records.config;
      const { opens_at, closes_at } = confirmTime({ date, hour_start: part.hour_start }, config?.grace_minutes ?? 0, board.clock);
      const isToConfirm =
        config?.confirm_enabled === 1 && claim.to_confirm.some((each) => each === number) && opens_at <= board.now && board.now < closes_at;
      const canRelease = config?.release_enabled === 1 && releaseOf(part, date, board) !== null;
      const target = `${claim.id}|${claim.is_split_claim ? number : ''}`;
      const at = instantOf(date, part.hour_start, board.clock);
      const params = { spot: nameOfSpot(turn, part.respawn_id), hours: hoursOf(turn, date, part), name: escapeName(claim.character_name) };
      const here: Action = { custom_id: `here|${target}`, label: say('discordApp.here'), style: 'primary' };
      const actions: Action[] = [
        ...(isToConfirm ? [here] : []),
        ...(canRelease ? [{ custom_id: `release|${target}`, label: say('discordApp.release') }] : []),
      ];
      return {
        line: `${discordTime(at, 'D')} · ${say('discordApp.mineClaim', params)}`,
        at: at.getTime(),
        isUrgent: isToConfirm,
        actions: claim.date === null ? [] : actions,
      };
    });
}

/** The character of a waitlist entry or claim on the board. @throws DomainError discord.buttonExpired */
function ownerOf(turn: Turn, found: { character_name: string } | undefined): LinkedCharacter {
  const owner = turn.characters.find(({ character_name }) => found && nameKey(character_name) === nameKey(found.character_name));
  if (!owner) throw new DomainError('discord.buttonExpired');
  return owner;
}

/** An offer, if it is still the one of the button. @throws DomainError discord.buttonExpired */
function offerOf(turn: Turn, [wait_id, claim_id]: readonly string[]): { entry: Wait; owner: LinkedCharacter } {
  const entry = turn.board.records.wait.find(({ id, held_claim_id }) => String(id) === wait_id && String(held_claim_id) === claim_id);
  const owner = ownerOf(turn, entry);
  if (!entry) throw new DomainError('discord.buttonExpired');
  return { entry, owner };
}

/** `Take hours`: the hold becomes a claim. */
export async function takeHours(turn: Turn, target: readonly string[]): Promise<Message> {
  const { entry, owner } = offerOf(turn, target);
  await acceptOffer(turn.ctx, principal(owner), entry.id);
  const held = turn.board.records.claim.find(({ id }) => id === entry.held_claim_id) ?? entry;
  const params = {
    name: escapeName(owner.character_name),
    spot: nameOfSpot(turn, entry.respawn_id),
    hours: hoursOf(turn, entry.date, held),
  };
  return done(turn.say('discordApp.youClaimed', params));
}

/** `Decline`: the hours go to the next on the waitlist. */
export async function declineHours(turn: Turn, target: readonly string[]): Promise<Message> {
  const { entry, owner } = offerOf(turn, target);
  await declineOffer(turn.ctx, principal(owner), entry.id);
  return done(turn.say('discordApp.declined'));
}

const claimById = ({ board }: Turn, id: string | undefined): Claim | undefined =>
  board.records.claim.find((each) => String(each.id) === id);
const partOf = (part: string | undefined): number | null => (part ? Number(part) : null);

/** `I'm here`: confirms a claim. */
export async function confirmHere(turn: Turn, [claim_id, part]: readonly string[]): Promise<Message> {
  const found = claimById(turn, claim_id);
  await confirmClaim(turn.ctx, principal(ownerOf(turn, found)), found?.id ?? 0, partOf(part));
  return done(turn.say('discordApp.confirmed'));
}

/** `Release`: asks first, since the hours go to others. */
export function askRelease(turn: Turn, [claim_id, part = '']: readonly string[]): Message {
  const found = claimById(turn, claim_id);
  ownerOf(turn, found);
  if (!found) throw new DomainError('discord.buttonExpired');
  const piece = claimOnRespawns(found).find(({ split_part_number }) => split_part_number === partOf(part)) ?? found;
  const params = { spot: nameOfSpot(turn, piece.respawn_id), hours: hoursOf(turn, found.date ?? turn.board.today, piece) };
  const buttons = [
    button(`release!|${claim_id}|${part}`, turn.say('discordApp.release'), 'danger'),
    button('keep', turn.say('discordApp.keep')),
  ];
  return { content: turn.say('discordApp.askRelease', params), embeds: [], components: [row(...buttons)] };
}

export async function release(turn: Turn, [claim_id, part]: readonly string[]): Promise<Message> {
  const found = claimById(turn, claim_id);
  await releaseClaim(turn.ctx, principal(ownerOf(turn, found)), found?.id ?? 0, partOf(part));
  return done(turn.say('discordApp.released'));
}

/** `Leave waitlist`: asks first, since the place is lost. */
export function askLeave(turn: Turn, [wait_id]: readonly string[]): Message {
  const entry = turn.board.records.wait.find(({ id }) => String(id) === wait_id);
  ownerOf(turn, entry);
  if (!entry) throw new DomainError('discord.buttonExpired');
  const params = { spot: nameOfSpot(turn, entry.respawn_id), position: entry.position };
  const buttons = [button(`leave!|${entry.id}`, turn.say('discordApp.leave'), 'danger'), button('keep', turn.say('discordApp.keep'))];
  return { content: turn.say('discordApp.askLeave', params), embeds: [], components: [row(...buttons)] };
}

export async function leave(turn: Turn, [wait_id]: readonly string[]): Promise<Message> {
  const entry = turn.board.records.wait.find(({ id }) => String(id) === wait_id);
  await leaveWaitlist(turn.ctx, principal(ownerOf(turn, entry)), entry?.id ?? 0);
  return done(turn.say('discordApp.left'));
}

/** The button `Claim…` below a spot's day. */
export const claimHere = (turn: Turn, [spot_id = '', date = '', key_id = '']: readonly string[]): Message =>
  startsMessage(turn, spotOf(turn, spot_id), date, characterOfKey(turn, key_id));

export const done = (content: string): Message => ({ content, embeds: [], components: [] });
