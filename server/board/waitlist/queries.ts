import { type SqlBool, sql } from 'kysely';
import { MAX_LIST } from '../../../shared/schemas/fields.ts';
import type { Wait, WaitAndEnd, WaitsQuery } from '../../../shared/schemas/wait.ts';
import { wait } from '../../../shared/schemas/wait.ts';
import type { Db, Tx } from '../../db/open.ts';
import { rowsOfPage } from '../../db/queries.ts';
import { oldestFirst, recordSource } from '../../live/record-kinds.ts';

/** The columns that make a wait's record. */
export const WAIT_COLUMNS = [
  'id',
  'respawn_id',
  'event_id',
  'date',
  'hour_start',
  'hour_end',
  'min_hours',
  'character_name',
  'member_type',
  'status',
  'position',
  'created_at',
  'held_claim_id',
  'held_until',
] as const;

/** Those who stand in line, whoever came first first. */
export const openWaits = (db: Db | Tx): Promise<Wait[]> =>
  db.selectFrom('waits').select(WAIT_COLUMNS).where('ended_at', 'is', null).orderBy('id').execute();

export async function findWait(db: Db | Tx, id: number): Promise<Wait | null> {
  return (await db.selectFrom('waits').select(WAIT_COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** A page of all waits there were by their date, the newest first. */
export function pageOfWaits(db: Db, page: WaitsQuery): Promise<WaitAndEnd[]> {
  const { most, last_id } = rowsOfPage(page);
  return waitsIn(db, page).select(WAIT_COLUMNS).select('ended_at').where('id', '<=', last_id).orderBy('id', 'desc').limit(most).execute();
}

export async function countWaits(db: Db, query: WaitsQuery): Promise<number> {
  const counted = waitsIn(db, query).select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

function waitsIn(db: Db, { from, to, state }: WaitsQuery) {
  const all = db.selectFrom('waits');
  const waits = state === undefined ? all : all.where('ended_at', state === 'open' ? 'is' : 'is not', null);
  if (from === undefined && to === undefined) return waits;
  // By ids, which are then read in their order: a page must not sort all that lies within the dates.
  let dated = db.selectFrom('waits as dated').select('dated.id');
  if (from !== undefined) dated = dated.where('dated.date', '>=', from);
  if (to !== undefined) dated = dated.where('dated.date', '<=', to);
  // Found first, or PostgreSQL may go through all that are newer.
  return waits.where(sql<SqlBool>`id in (with ids as materialized ${dated} select id from ids)`);
}

/** What became of a character's waits that ended at this moment or later, the latest first. */
export const endedWaitsOf = (db: Db | Tx, character_key: string, since: string): Promise<Wait[]> =>
  db
    .selectFrom('waits')
    .select(WAIT_COLUMNS)
    .where('character_key', '=', character_key)
    .where('ended_at', '>=', since)
    .orderBy('ended_at', 'desc')
    .limit(MAX_LIST)
    .execute();

/** How many of a character's waits ended at this moment or later, counted up to the most that matters. */
export async function countEnded(tx: Tx, character_key: string, since: string, most: number): Promise<number> {
  const ended = tx.selectFrom('waits').select('id').where('character_key', '=', character_key).where('ended_at', '>=', since);
  return (await ended.limit(most).execute()).length;
}

export const waitRecords = recordSource('wait', { schema: wait, read: ({ tx }) => openWaits(tx), order: oldestFirst });
