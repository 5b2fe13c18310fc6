import { type ExpressionBuilder, sql } from 'kysely';
import type { HourRange } from '../../../shared/rules/hours.ts';
import type { EndingReason } from '../../../shared/schemas/ending.ts';
import { type Actor, adminAmong, nameOf } from '../../auth/activity-log.ts';
import { among } from '../../db/batches.ts';
import type { ClaimEndingsTable, ClaimsTable } from '../../db/claim-tables.ts';
import type { Tx } from '../../db/open.ts';
import type { Database, EventsTable, RespawnsTable } from '../../db/schema.ts';
import { type ServerSaveSettings, serverSaveNow } from '../config/clock.ts';

/** When, why and by whom some claims end. */
export interface Ended extends Pick<ClaimEndingsTable, 'ended_at' | 'ended_date' | 'ended_hour' | 'reason' | 'ended_by'> {
  /** Of an admin; null: no admin did it. */
  by_admin: string | null;
  /** Channels hear one summary, not of each claim. */
  is_bulk?: boolean;
}

export function endedNow(ctx: ServerSaveSettings, reason: EndingReason, actor: Actor): Ended {
  const { date, hour } = serverSaveNow(ctx);
  const ended_by = nameOf(actor);
  return { ended_at: ctx.now().toISOString(), ended_date: date, ended_hour: hour, reason, ended_by, by_admin: adminAmong(actor) };
}

const COLUMNS = [
  'claim_id',
  'character_name',
  'character_key',
  'member_type',
  'is_secondary_claim',
  'event_id',
  'date',
  'made_at',
  'first_date',
  'respawn_id',
  'respawn_name',
  'ended_at',
  'ended_date',
  'ended_hour',
  'reason',
  'ended_by',
  'part_number',
  'hour_start',
  'hour_end',
  'last_date',
] as const;

type Nullable<T> = { [K in keyof T]: T[K] | null };
type Joined = Database & { claims: ClaimsTable; respawns: RespawnsTable; events: Nullable<EventsTable> };

/** What every ending says, of its claim, its spot and its end; the columns in the order of the first sixteen. */
const saidOfAll = (of: ExpressionBuilder<Joined, 'claims' | 'respawns' | 'events'>, ended: Ended) => [
  of.ref('claims.id').as('claim_id'),
  of.ref('claims.character_name').as('character_name'),
  of.ref('claims.character_key').as('character_key'),
  of.ref('claims.member_type').as('member_type'),
  of.ref('claims.is_secondary_claim').as('is_secondary_claim'),
  of.ref('claims.event_id').as('event_id'),
  of.ref('claims.date').as('date'),
  of.ref('claims.created_at').as('made_at'),
  of.fn.coalesce('claims.date', of.fn<string>('substr', ['events.start_time', of.lit(1), of.lit(10)]), of.val('')).as('first_date'),
  of.ref('respawns.id').as('respawn_id'),
  of.ref('respawns.name').as('respawn_name'),
  of.val(ended.ended_at).as('ended_at'),
  of.val(ended.ended_date).as('ended_date'),
  of.cast<number>(of.val(ended.ended_hour), 'integer').as('ended_hour'),
  of.val(ended.reason).as('reason'),
  of.val(ended.ended_by).as('ended_by'),
];

/**
 * Keeps why claims end that are about to be deleted, one row a part: a statement for all of them.
 * @returns on which spot each part stood
 */
export function keepEndings(tx: Tx, ids: readonly number[], ended: Ended): Promise<{ claim_id: number; respawn_id: number }[]> {
  return tx
    .insertInto('claim_endings')
    .columns([...COLUMNS])
    .expression((from) =>
      from
        .selectFrom('claims')
        .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
        .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
        .leftJoin('events', 'events.id', 'claims.event_id')
        .select((of) => saidOfAll(of, ended))
        .select(['part_number', 'hour_start', 'hour_end', 'last_date'])
        .where('claims.id', 'in', ids)
        .where(among('claim_parts.claim_id', ids))
        .orderBy('claims.id')
        .orderBy('part_number'),
    )
    .returning(['claim_id', 'respawn_id'])
    .execute();
}

/** Hours that a claim had, and has no longer while it stands. */
export interface GivenUp extends HourRange {
  claim_id: number;
  part_number: number;
  respawn_id: number;
  last_date: string;
}

/** The same for hours that claims give up which stand. */
export async function keepGivenUp(tx: Tx, given: readonly GivenUp[], ended: Ended): Promise<void> {
  const whole = (value: number) => sql<number>`cast(${value} as integer)`;
  for (const { claim_id, respawn_id, part_number, hour_start, hour_end, last_date } of given) {
    await tx
      .insertInto('claim_endings')
      .columns([...COLUMNS])
      .expression((from) =>
        from
          .selectFrom('claims')
          .innerJoin('respawns', (join) => join.on('respawns.id', '=', respawn_id))
          .leftJoin('events', 'events.id', 'claims.event_id')
          .select((of) => saidOfAll(of, ended))
          .select((of) => [
            whole(part_number).as('part_number'),
            whole(hour_start).as('hour_start'),
            whole(hour_end).as('hour_end'),
            of.val(last_date).as('last_date'),
          ])
          .where('claims.id', '=', claim_id),
      )
      .execute();
  }
}

/** What ends a claim as a whole, and is undone from the log. */
const UNDOABLE: readonly EndingReason[] = ['admin', 'cleared', 'event', 'respawn'];

/** As no index has it: told of a few reasons and of many claims, SQLite would read all endings that ever had one of these. */
const REASON = sql<EndingReason>`reason || ''`;

/** Claims that a deletion took stand again: it ended none of them. What ended of their hours before stays. */
export async function takeBackEndings(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.deleteFrom('claim_endings').where('claim_id', 'in', ids).where(among('claim_id', ids)).where(REASON, 'in', UNDOABLE).execute();
}
