import { DomainError } from '../../../shared/errors.ts';
import { mayClaimSecondary } from '../../../shared/rules/secondary.ts';
import { addDays, datesBetween } from '../../../shared/rules/server-save.ts';
import { claimInput } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import { submitClaims } from '../../board/claims/submit.ts';
import { updateConfig } from '../../board/config/config.ts';
import { createEvent, setEventActive } from '../../board/events/events.ts';
import { findRespawns } from '../../board/records/respawns.ts';
import { createStanding } from '../../board/standing/operations.ts';
import { acceptTransfer, offerHandover } from '../../board/transfers/transfers.ts';
import { joinWaitlist } from '../../board/waitlist/member-actions.ts';
import { serverSaveToday } from '../../db/clock/server-save-clock.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import type { Admin, Caller } from '../../http/caller.ts';
import { createAccessKey } from '../../members/access-keys.ts';

/** A seeded generator (mulberry32), so that the demo guild is always the same. @returns numbers from 0 up to 1 */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const FIRST_NAMES = [
  'Arden',
  'Bryn',
  'Cass',
  'Dara',
  'Elowen',
  'Fenn',
  'Gideon',
  'Hale',
  'Iris',
  'Jorun',
  'Kael',
  'Lark',
  'Mira',
  'Nim',
  'Odo',
];
const LAST_NAMES = ['Vale', 'Castell', 'Stormcrow', 'Holt'];
const TYPES = ['member', 'member', 'member', 'elite', 'vice'];

interface Hunter {
  characterName: string;
  memberType: string;
}

/** Sixty characters: three in five are members, the others elite and vice. */
const HUNTERS: readonly Hunter[] = LAST_NAMES.flatMap((last, row) =>
  FIRST_NAMES.map((first, column) => ({
    characterName: `${first} ${last}`,
    memberType: TYPES[(row * 2 + column) % TYPES.length] ?? 'member',
  })),
);

const SEED = 20_261_121;
const CLAIMS_OF_ENDED_EVENT = 350;
const CLAIMS = 1_000;
/** A guild of sixty uses this many spots; the others stay free. */
const POPULAR_SPOTS = 48;
const SPOTS_A_REGION = 6;
/** Claims that a member joins the waitlist of. */
const WANTED_CLAIMS = 300;

interface Player {
  characterName: string;
  memberType: string;
  access_key: string;
}

export interface DemoReport {
  members: number;
  claims: number;
}

/**
 * Fills a database by the same operations as the API, so that every rule holds.
 * @throws DomainError key.exists if the demo guild exists
 */
export async function fillDemo(
  ctx: Writing,
  admin: Admin,
  progress: (claims: number) => void,
): Promise<DemoReport> {
  const random = seededRandom(SEED);
  const players: Player[] = [];
  for (const hunter of HUNTERS) {
    const { key_value } = await createAccessKey(ctx, admin, hunter);
    players.push({ ...hunter, access_key: key_value });
  }
  const today = serverSaveToday(ctx);
  const respawns = await findRespawns(ctx.db, { enabled: true });
  // Most spots of a few regions, none of the others.
  const regions = shuffled([...new Set(respawns.map((respawn) => respawn.category_id))], random);
  const there = regions.flatMap((region) =>
    shuffled(respawns, random)
      .filter((respawn) => respawn.category_id === region)
      .slice(0, SPOTS_A_REGION),
  );
  const spots = there.slice(0, POPULAR_SPOTS);
  const ids = spots.map((spot) => spot.id);
  const period = async (name: string, first: number, last: number): Promise<Event> => {
    const start = addDays(today, first);
    const end = addDays(today, last);
    const event = await createEvent(ctx, admin, {
      name,
      type: 'multiple_claims',
      start_time: `${start}T10:00`,
      end_time: `${end}T10:00`,
    });
    return setEventActive(ctx, admin, { id: event.id, active: true });
  };
  let claims = 0;
  const fill = async (event: Event, upTo: number): Promise<void> => {
    const dates = datesBetween(event.start_time.slice(0, 10), event.end_time.slice(0, 10));
    while (claims < upTo) {
      claims += await hunt(ctx, admin, { players, ids, dates, random, room: upTo - claims });
      progress(claims);
    }
  };
  await fill(await period('Autumn hunt', -28, -15), CLAIMS_OF_ENDED_EVENT);
  const event = await period('Double week', -4, 9);
  await fill(event, CLAIMS);
  await joinWaitlists(ctx, { players, event, random });
  await updateConfig(ctx, admin, { standing_enabled: 1, transfers_enabled: 1 });
  await createStandingClaims(ctx, players, ids);
  await transferClaims(ctx, players);
  return { members: players.length, claims };
}

interface Hunt {
  players: readonly Player[];
  ids: readonly number[];
  dates: readonly string[];
  random: () => number;
  /** How many more claims to make. */
  room: number;
}

/** One member claims a spot. @returns the number of claims; 0 if a rule refused */
async function hunt(
  ctx: Writing,
  admin: Admin,
  { players, ids, dates, random, room }: Hunt,
): Promise<number> {
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[Math.floor(random() ** 1.5 * from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  };
  const player = pick(shuffled(players, random));
  const date = pick(shuffled(dates, random));
  const respawn_id = pick(ids);
  const hour_start = 2 * Math.floor(random() * 11);
  const length = 1 + Math.floor(random() * 4);
  const base = {
    respawn_id,
    character_name: player.characterName,
    date,
    hour_start,
    hour_end: hour_start + length,
  };
  const kind = random();
  const part = (part_number: number, on: number, start: number) => ({
    part_number,
    respawn_id: on,
    hour_start: start,
    duration: 2,
  });
  const split = {
    ...base,
    is_split_claim: 1,
    split_parts: [part(1, respawn_id, hour_start), part(2, pick(ids), (hour_start + 8) % 22)],
  };
  const secondary = {
    ...base,
    respawn_id: pick(ids),
    is_secondary_claim: 1,
    hour_start: (hour_start + 4) % 24,
    hour_end: undefined,
  };
  const wanted =
    kind < 0.12
      ? [split]
      : kind < 0.4 && room > 1 && mayClaimSecondary(player.memberType, 1)
        ? [base, secondary]
        : [base];
  try {
    const submission = { claims: claimInput.array().parse(wanted), member_type: player.memberType };
    // Only admins enter past dates.
    const caller: Caller =
      date < serverSaveToday(ctx) ? admin : { role: 'member', access_key: player.access_key };
    await submitClaims(ctx, caller, submission);
    return wanted.length;
  } catch (error) {
    if (error instanceof DomainError) return 0;
    throw error;
  }
}

/** All members but the first, whose key the demo prints, join waitlists. Those that the rules refuse are skipped. */
async function joinWaitlists(
  ctx: Writing,
  { players, event, random }: Pick<Hunt, 'players' | 'random'> & { event: Event },
): Promise<void> {
  const claims = await ctx.db
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .select(['respawn_id', 'claims.date', 'hour_start', 'hour_end'])
    .where('event_id', '=', event.id)
    .where('claims.date', '>=', serverSaveToday(ctx))
    .orderBy('claims.id')
    .execute();
  const [, ...others] = players;
  for (const { date, ...hours } of shuffled(claims, random).slice(0, WANTED_CLAIMS)) {
    const [player] = shuffled(others, random);
    if (!player || date === null) continue;
    try {
      await joinWaitlist(
        ctx,
        { role: 'member', access_key: player.access_key },
        { ...hours, date, min_hours: 1 },
      );
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
}

/** The first member, whose key the demo prints, and every seventh other one have weekly claims. */
async function createStandingClaims(
  ctx: Writing,
  players: readonly Player[],
  ids: readonly number[],
): Promise<void> {
  for (const [nth, { access_key }] of players.entries()) {
    if (nth % 7 !== 0) continue;
    const hour_start = 6 + (nth % 10);
    const weekdays = [1 + (nth % 5), 3 + (nth % 5)];
    const standing = {
      respawn_id: ids.at(-1 - nth / 7) ?? 1,
      weekdays,
      hour_start,
      hour_end: hour_start + 3,
      join_waitlist: 1 as const,
    };
    await createStanding(ctx, { role: 'member', access_key }, standing);
  }
}

/** Claims that are offered; the first is offered to the member whose key the demo prints, and every third is accepted. */
const OFFERED_CLAIMS = 12;

/** Members offer claims of the next days to others. Those that the rules refuse are skipped. */
async function transferClaims(ctx: Writing, players: readonly Player[]): Promise<void> {
  const byName = new Map(players.map((player) => [player.characterName, player]));
  const claims = await ctx.db
    .selectFrom('claims')
    .select(['id', 'character_name'])
    .where('date', '>', serverSaveToday(ctx))
    .where('is_secondary_claim', '=', 0)
    .where('held_until', 'is', null)
    .orderBy('date')
    .orderBy('id')
    .execute();
  let offered = 0;
  for (const [nth, { id, character_name }] of claims.entries()) {
    if (offered === OFFERED_CLAIMS) return;
    const owner = byName.get(character_name);
    const to = offered === 0 ? players[0] : players[nth % players.length];
    if (!owner || !to || owner === to || owner === players[0]) continue;
    try {
      const transfer = await offerHandover(
        ctx,
        { role: 'member', access_key: owner.access_key },
        { claim_id: id, to: to.characterName },
      );
      offered += 1;
      if (offered % 3 === 0)
        await acceptTransfer(ctx, { role: 'member', access_key: to.access_key }, transfer.id);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((each) => [random(), each] as const)
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each);
}
