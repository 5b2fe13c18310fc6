import { addDays } from '../../../shared/rules/server-save.ts';

/** The facts of a guild that its claims depend on. */
export interface Guild {
  /** The server-save date when it was filled. */
  today: string;
  /** Enabled spots have the ids 1 to this. */
  spots: number;
}

/** The access key of a member, counted from 0. */
export const keyOf = (n: number): string => `BENCH-KEY-${String(n).padStart(6, '0')}`;
export const racerOf = (n: number): string => `Racer ${n}`;
export const KEYS = 1_000;
/** The guild's Discord app, and the Discord user of each member. */
export const BENCH_APPLICATION = '123456789012345678';
export const discordUserOf = (n: number): string => `3${String(n).padStart(17, '0')}`;

const CLAIM_HOURS = 4;
/** The last of them claim while no event is active, the others while one is. */
const KEYS_WITHOUT_EVENT = 100;

/** Separate ranges of hours, so that submissions never conflict with each other or the board: with and without an active event. */
export type Lane = 'event' | 'no event';
const lanes = {
  event: { hour: 12, slots: 3, first_key: 0, keys: KEYS - KEYS_WITHOUT_EVENT, days: 358 },
  'no event': {
    hour: 8,
    slots: 1,
    first_key: KEYS - KEYS_WITHOUT_EVENT,
    keys: KEYS_WITHOUT_EVENT,
    days: 59,
  },
} as const;
/** The board's claims occupy the hours before this one. */
export const HOURS_OF_BOARD = 8;

/**
 * A submission by its number, from 0. No two have the same hours and date.
 * @throws Error if the lane has no hours left
 */
export function numberedClaim(guild: Guild, lane: Lane, n: number): { key: string; body: string } {
  const { key, claim } = claimOf(guild, lane, n);
  return { key, body: JSON.stringify({ access_key: key, claims: [claim] }) };
}

/** The same submission as the body of a `/claim` in Discord. */
export function numberedCommand(guild: Guild, lane: Lane, n: number): string {
  const { racer, claim } = claimOf(guild, lane, n);
  const options = {
    spot: claim.respawn_id,
    date: claim.date,
    start: claim.hour_start,
    hours: CLAIM_HOURS,
  };
  return JSON.stringify({
    id: String(700_000_000_000_000_000n + BigInt(n)),
    application_id: BENCH_APPLICATION,
    type: 2,
    token: 'bench',
    locale: 'en-US',
    member: { user: { id: discordUserOf(racer), username: claim.character_name } },
    data: {
      name: 'claim',
      options: Object.entries(options).map(([name, value]) => ({ name, value: String(value) })),
    },
  });
}

function claimOf({ today, spots }: Guild, lane: Lane, n: number) {
  const { hour, slots, first_key, keys, days } = lanes[lane];
  const a_day = Math.min(spots * slots, keys);
  const day = Math.floor(n / a_day);
  if (day >= days) throw new Error('the bench ran out of free hours');
  const at = n % a_day;
  const racer = first_key + (n % keys);
  const key = keyOf(racer);
  const claim = {
    respawn_id: 1 + Math.floor(at / slots),
    character_name: racerOf(racer),
    date: addDays(today, 1 + day),
    hour_start: hour + (at % slots) * CLAIM_HOURS,
  };
  return { key, racer, claim };
}
