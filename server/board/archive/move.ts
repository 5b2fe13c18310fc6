import { sql } from 'kysely';
import { z } from 'zod';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { addDays, datesBetween } from '../../../shared/rules/server-save.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { serverSaveToday } from '../../db/clock/server-save-clock.ts';
import { among, CLAIM_BATCH_SIZE, type Db, type Reading, type Tx } from '../../db/database.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { type InsideKind, nextHour } from '../../jobs/job-kind.ts';
import { beginClaimWrite } from '../claims/claims-changed.ts';
import { deleteClaims } from '../claims/end-claims.ts';

const CLAIM_COLUMNS = [
  'id',
  'event_id',
  'character_name',
  'character_key',
  'member_type',
  'date',
  'custom_duration',
  'voucher_duration',
  'is_secondary_claim',
  'secondary_priority',
  'primary_claim_id',
  'is_split_claim',
  'created_at',
  'standing_id',
] as const;
const PART_COLUMNS = [
  'claim_id',
  'part_number',
  'respawn_id',
  'hour_start',
  'hour_end',
  'last_date',
] as const;
const EVENT_COLUMNS = [
  'id',
  'name',
  'type',
  'start_time',
  'end_time',
  'single_claim_template',
  'claim_count',
  'created_at',
] as const;

type Next =
  | { type: 'leaving'; event: EventFacts }
  | { type: 'event'; id: number }
  | { type: 'date'; date: string };

/**
 * Archives claims and events that ended longer ago than `ARCHIVE_AFTER_DAYS`, a little with each run: an event and then its claims in
 * batches, or claims of a date without an event.
 */
export const archiveOld: InsideKind<null> = {
  kind: 'archive.move',
  runs: 'inside',
  payload: z.null(),
  deletes_by_age: true,
  next: nextHour,
  isNeeded: async (ctx) => (await nextOf(ctx, ctx.db)) !== null,
  run: async (unit) => {
    const next = await nextOf(unit.ctx, unit.tx);
    if (next?.type === 'event') await beginArchiving(unit, next.id);
    else if (next?.type === 'leaving') await moveFromEvent(unit, next.event);
    else if (next?.type === 'date') await moveFromDate(unit, next.date);
    return next ? 'more' : undefined;
  },
};

async function nextOf(ctx: Reading, db: Db | Tx): Promise<Next | null> {
  // An event that is being archived is finished even if the setting has changed: it is no longer shown.
  const event = await db
    .selectFrom('events')
    .select(['id', 'type', 'start_time', 'end_time'])
    .where((where) => where('is_leaving', '=', where.lit(1)))
    .executeTakeFirst();
  if (event) return { type: 'leaving', event };
  if (ctx.env.ARCHIVE_AFTER_DAYS === 0) return null;
  const until = addDays(serverSaveToday(ctx), -ctx.env.ARCHIVE_AFTER_DAYS);
  const ended = db
    .selectFrom('events')
    .select('id')
    .where('end_time', '<', until)
    .where('is_active', '=', 0);
  const old = await ended.orderBy('end_time').limit(1).executeTakeFirst();
  if (old) return { type: 'event', id: old.id };
  const claim = await db
    .selectFrom('claims')
    .select('date')
    .where('event_id', 'is', null)
    .where('date', '<', until)
    .orderBy('date')
    .limit(1)
    .executeTakeFirst();
  return claim?.date ? { type: 'date', date: claim.date } : null;
}

/** Lists the event in the archive and hides it everywhere else. */
async function beginArchiving(unit: Unit, id: number): Promise<void> {
  const { tx, changes, at } = unit;
  const event = await tx
    .selectFrom('events')
    .select(EVENT_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('archived_events')
    .values({ ...event, archived_at: at.toISOString() })
    .execute();
  await tx.updateTable('events').set({ is_leaving: 1 }).where('id', '=', id).execute();
  changes.remove('event', id, 'dashboard');
  const { name, type, start_time, end_time, claim_count } = event;
  const details = { event_id: id, name, type, start_time, end_time, claim_count };
  await logActivity(unit, { role: 'server' }, { action: 'event_archived', details });
}

async function moveFromEvent(
  unit: Unit,
  { id: event_id, type, start_time, end_time }: EventFacts,
): Promise<void> {
  const { tx } = unit;
  const dates =
    type === 'single_claim' ? datesBetween(eventDate(start_time), eventDate(end_time)).length : 1;
  const most = Math.max(1, Math.floor(CLAIM_BATCH_SIZE / dates));
  // Newest first: a secondary claim would lose its link if its primary claim went first.
  const claims = tx
    .selectFrom('claims')
    .select('id')
    .where('event_id', '=', event_id)
    .orderBy('id', 'desc')
    .limit(most);
  const ids = (await claims.execute()).map(({ id }) => id);
  await move(unit, ids);
  if (ids.length === most) return;
  // An admin may have deleted claims meanwhile.
  const { claim_count } = await tx
    .selectFrom('events')
    .select('claim_count')
    .where('id', '=', event_id)
    .executeTakeFirstOrThrow();
  await tx.updateTable('archived_events').set({ claim_count }).where('id', '=', event_id).execute();
  await tx.deleteFrom('events').where('id', '=', event_id).execute();
}

async function moveFromDate(unit: Unit, date: string): Promise<void> {
  const ofDate = unit.tx
    .selectFrom('claims')
    .select('id')
    .where('event_id', 'is', null)
    .where('date', '=', date);
  const ids = (await ofDate.orderBy('id', 'desc').limit(CLAIM_BATCH_SIZE).execute()).map(
    ({ id }) => id,
  );
  await move(unit, ids);
}

async function move(unit: Unit, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { tx } = unit;
  await tx
    .insertInto('archived_claims')
    .columns([...CLAIM_COLUMNS, 'last_date'])
    .expression((from) =>
      from
        .selectFrom('claims')
        .innerJoin('claim_parts', (join) =>
          join.onRef('claim_parts.claim_id', '=', 'claims.id').on('part_number', '=', sql.lit(1)),
        )
        .select([...CLAIM_COLUMNS, 'last_date'])
        .where('claims.id', 'in', ids)
        .where(among('claim_parts.claim_id', ids)),
    )
    .execute();
  await tx
    .insertInto('archived_claim_parts')
    .columns([...PART_COLUMNS, 'respawn_name'])
    .expression((from) =>
      from
        .selectFrom('claim_parts')
        .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
        .select([...PART_COLUMNS, 'respawns.name as respawn_name'])
        .where('claim_id', 'in', ids),
    )
    .execute();
  await deleteClaims(
    await beginClaimWrite(unit, { role: 'server' }),
    { type: 'ids', ids },
    { cause: 'archived' },
  );
}
