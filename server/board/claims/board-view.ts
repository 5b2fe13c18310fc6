import { isOnBoard, occupiesBoard } from '../../../shared/rules/board.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import type { MissedRules } from '../../../shared/rules/missed-claims.ts';
import { claim, type OwnClaim } from '../../../shared/schemas/claim.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import { type Occupancy, occupancy } from '../../../shared/schemas/occupancy.ts';
import { serverSaveToday } from '../../db/clock/server-save-clock.ts';
import { type Db, prepared, type Reading, type Tx } from '../../db/database.ts';
import { oldestFirst, recordSource } from '../../live/record-kinds.ts';
import { isActive } from '../records/guild.ts';
import {
  type DatedClaim,
  loadClaimsInBatches,
  loadDatedClaims,
  loadDatedClaimsInBatches,
} from './claim-records.ts';
import type { ClaimScope } from './claim-scopes.ts';

/** The guild's state that decides which claims are allowed and which the board shows. */
export interface GuildNow extends MissedRules {
  active_event: EventFacts | null;
  /**
   * The board's date, which a write moves on, not the wall clock's: two reads at the same clock of the change log must agree, even if
   * the time jumps over the server save and back.
   */
  today: string;
  submission_enabled: number;
  release_enabled: number;
  grace_minutes: number;
}

export async function readGuildNow(ctx: Reading, db: Db | Tx): Promise<GuildNow> {
  const [row] = await guildNow(db, {});
  if (!row) throw new Error('the guild has no row');
  const { id, type, start_time, end_time, board_date, ...settings } = row;
  const isEvent = id !== null && type !== null && start_time !== null && end_time !== null;
  return {
    active_event: isEvent ? { id, type, start_time, end_time } : null,
    today: board_date || serverSaveToday(ctx),
    ...settings,
  };
}

const guildNow = prepared((db) =>
  db
    .selectFrom('clock')
    .innerJoin('config', (join) => join.onTrue())
    .leftJoin('events', (join) => join.on(isActive))
    .select(['events.id', 'type', 'start_time', 'end_time', 'board_date'])
    .select(['submission_enabled', 'release_enabled', 'confirm_enabled', 'grace_minutes'])
    .select(['no_show_limit', 'no_show_days', 'no_show_pause_days'])
    .compile(),
);

/** A claim that the board does not list, reduced to the hours it occupies on the active event's dates. */
export function occupancyOf({ claim, first_date, last_date, event_name }: DatedClaim): Occupancy {
  const parts = claimOnRespawns(claim).map(({ respawn_id, hour_start, hour_end }) => ({
    respawn_id,
    hour_start,
    hour_end,
  }));
  return {
    id: claim.id,
    character_name: claim.character_name,
    event_name,
    first_date,
    last_date,
    parts,
  };
}

/** Every occupancy that the board shows. */
async function allOccupancies(
  tx: Tx,
  { active_event: event }: Pick<GuildNow, 'active_event'>,
): Promise<Occupancy[]> {
  if (!event) return [];
  const from = eventDate(event.start_time);
  const to = eventDate(event.end_time);
  const claims = await loadDatedClaimsInBatches(tx, {
    type: 'dates-elsewhere',
    event_id: event.id,
    from,
    to,
  });
  return claims.filter((dated) => occupiesBoard(dated.claim, dated, event)).map(occupancyOf);
}

/** A character's claims from today on, of any event or of none, holds included. */
export async function claimsFromToday(
  ctx: Reading,
  db: Db | Tx,
  character_keys: readonly string[],
): Promise<DatedClaim[]> {
  const { today } = await readGuildNow(ctx, db);
  return loadDatedClaims(db, { type: 'characters-from', character_keys, date: today });
}

/** Those of a character that the board does not list; none without an active event. */
export async function claimsOffBoard(
  ctx: Reading,
  db: Db | Tx,
  character_key: string,
): Promise<OwnClaim[]> {
  const guild = await readGuildNow(ctx, db);
  if (!guild.active_event) return [];
  const own = await loadDatedClaims(db, {
    type: 'characters-from',
    character_keys: [character_key],
    date: guild.today,
  });
  return own
    .filter(({ claim, last_date }) => !isOnBoard(claim, last_date, guild))
    .map(({ claim, ...dates }) => ({ ...claim, ...dates }));
}

async function boardScope(ctx: Reading, db: Db | Tx): Promise<ClaimScope> {
  const { active_event, today } = await readGuildNow(ctx, db);
  return active_event
    ? { type: 'event', event_id: active_event.id }
    : { type: 'dates-from', date: today };
}

export const claimRecords = recordSource('claim', {
  schema: claim,
  read: async ({ tx, ...settings }) => loadClaimsInBatches(tx, await boardScope(settings, tx)),
  order: oldestFirst,
});

export const occupancyRecords = recordSource('occupancy', {
  schema: occupancy,
  read: async ({ tx, ...settings }) => allOccupancies(tx, await readGuildNow(settings, tx)),
  order: oldestFirst,
});
