import { addDays } from '../../../shared/rules/server-save.ts';

/** What the claims of a bench's guild are made of. */
export interface Guild {
  /** The server-save date at which it was filled. */
  today: string;
  /** Spots that take claims have the ids 1 to this. */
  spots: number;
}

/** A guild's members hold keys of this form, the first one 0. */
export const keyOf = (n: number): string => `BENCH-KEY-${String(n).padStart(6, '0')}`;
export const racerOf = (n: number): string => `Racer ${n}`;
export const KEYS = 1_000;

const CLAIM_HOURS = 4;
/** The last of them claim while no event is active, the others while one is. */
const KEYS_WITHOUT_EVENT = 100;

/** Where submissions go, so that none meets another or what stands on the board: an event's hours, and those for when none is active. */
export type Lane = 'event' | 'no event';
const lanes = {
  event: { hour: 12, slots: 3, first_key: 0, keys: KEYS - KEYS_WITHOUT_EVENT, days: 358 },
  'no event': { hour: 8, slots: 1, first_key: KEYS - KEYS_WITHOUT_EVENT, keys: KEYS_WITHOUT_EVENT, days: 59 },
} as const;
/** What stands on the board already holds hours before this one. */
export const HOURS_OF_BOARD = 8;

/**
 * The submission with this number, from 0 on: each is of other hours or another date than all others.
 * @throws Error where the lane has no hours left
 */
export function numberedClaim({ today, spots }: Guild, lane: Lane, n: number): { key: string; body: string } {
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
  return { key, body: JSON.stringify({ access_key: key, claims: [claim] }) };
}
