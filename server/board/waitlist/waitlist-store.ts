import { type Expression, type SqlBool, sql } from 'kysely';
import { MAX_LIST } from '../../../shared/schemas/fields.ts';
import { type Wait, type WaitAndEnd, type WaitsQuery, wait } from '../../../shared/schemas/wait.ts';
import type { Db, Tx } from '../../db/open.ts';
import { inBatches, readByIds, rowsOfPage } from '../../db/queries.ts';
import type { Flag } from '../../db/schema.ts';
import { oldestFirst, recordSource } from '../../live/record-kinds.ts';
import type { TouchedLines } from './affected-waitlists.ts';

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

/** A wait, with the key its character is compared by, and what others are not told. */
export interface StoredWait extends Wait {
  character_key: string;
  /** Until when it is passed over for its character's quiet hours; null: it is not. */
  quiet_until: string | null;
  /** An admin let the character wait. */
  is_by_admin: Flag;
  /** The hours that were occupied when the character joined, as a set of bits: an offer includes one of them (R9.6). */
  wanted_hours: number;
}
const COLUMNS = [...WAIT_COLUMNS, 'character_key', 'quiet_until', 'is_by_admin', 'wanted_hours'] as const;

/** What everybody sees of it. */
export function recordOf({ character_key: _, quiet_until: __, is_by_admin: ___, wanted_hours: ____, ...record }: StoredWait): Wait {
  return record;
}

/** A wait, open or not. */
export async function findStoredWait(tx: Tx, id: number): Promise<StoredWait | null> {
  return (await tx.selectFrom('waits').select(COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Those of characters that are open. */
export async function openWaitsOf(tx: Tx, character_keys: readonly string[]): Promise<StoredWait[]> {
  const found: StoredWait[] = [];
  const open = tx.selectFrom('waits').select(COLUMNS).where('ended_at', 'is', null).orderBy('id');
  for (const some of inBatches(character_keys)) found.push(...(await open.where('character_key', 'in', some).execute()));
  return found;
}

/** Those for spots that are open, on which date ever. */
export const openWaitsAt = (tx: Tx, respawn_ids: readonly number[]): Promise<StoredWait[]> =>
  readByIds(respawn_ids, (some) =>
    tx.selectFrom('waits').select(COLUMNS).where('respawn_id', 'in', some).where('ended_at', 'is', null).orderBy('id').execute(),
  );

/** The open waits with an offer whose time is over by then, the earliest first. */
export const lapsedWaits = (tx: Tx, until: string): Promise<StoredWait[]> =>
  tx
    .selectFrom('waits')
    .select(COLUMNS)
    .where('ended_at', 'is', null)
    .where('held_until', 'is not', null)
    .where('held_until', '<=', until)
    .orderBy('held_until')
    .orderBy('id')
    .execute();

/** When the holds of these entries were made or restarted, by the id of the claim that holds the hours. */
export async function holdsMadeAt(tx: Tx, waits: readonly Pick<StoredWait, 'held_claim_id'>[]): Promise<ReadonlyMap<number, string>> {
  const ids = waits.flatMap(({ held_claim_id }) => held_claim_id ?? []);
  const claims = await readByIds(ids, (some) => tx.selectFrom('claims').select(['id', 'created_at']).where('id', 'in', some).execute());
  return new Map(claims.map(({ id, created_at }) => [id, created_at]));
}

/** Open waits for which hours are held for longer than this. */
export const heldAfter = (db: Db | Tx, until: string) =>
  db
    .selectFrom('waits')
    .select('id')
    .where('ended_at', 'is', null)
    .where('held_until', 'is not', null)
    .where('held_until', '>', until)
    .orderBy('held_until');

/** The open wait whose hours are over first. */
export const firstOver = (db: Db | Tx): Promise<Pick<StoredWait, 'date' | 'hour_end'> | undefined> =>
  byEnd(db).select(['date', 'hour_end']).limit(1).executeTakeFirst();

/** The open waits on dates up to this one; those whose hours are over first first. */
export const waitsUntil = (tx: Tx, last_date: string): Promise<StoredWait[]> =>
  byEnd(tx).select(COLUMNS).where('date', '<=', last_date).execute();

/** The open waits on dates from this one on; those whose hours are over first first. */
export const waitsFrom = (db: Db | Tx, first_date: string): Promise<Pick<StoredWait, 'date' | 'hour_end'>[]> =>
  byEnd(db).select(['date', 'hour_end']).where('date', '>=', first_date).execute();

const byEnd = (db: Db | Tx) =>
  db
    .selectFrom('waits')
    .where('ended_at', 'is', null)
    // Says nothing but that the index is searched, and not gone through.
    .where('date', '>=', sql.lit(''))
    .orderBy('date')
    .orderBy('hour_end')
    .orderBy('id');

/** Everybody in the lines that were touched, whoever came first first: each line whole. */
export function waitsInLines(tx: Tx, touched: TouchedLines): Promise<StoredWait[]> {
  const open = tx.selectFrom('waits').select(COLUMNS).where('ended_at', 'is', null).orderBy('id');
  if (touched.all) return open.execute();
  const found = touchedIn(tx, touched);
  if (found.length === 0) return Promise.resolve([]);
  const lines = sql`with touched (respawn_id, date) as (${sql.join(found, sql` union all `)}) select respawn_id, date from touched`;
  return open.where(sql<SqlBool>`(respawn_id, date) in (${lines})`).execute();
}

/** Each by an index of its own, which SQLite does not take where they are alternatives of one condition. */
function touchedIn(tx: Tx, { lines, spots, characters, gone }: TouchedLines): Expression<unknown>[] {
  const open = tx.selectFrom('waits').select(['respawn_id', 'date']).where('ended_at', 'is', null);
  const named = [...lines].map((line) => {
    const [respawn_id = '', date = ''] = line.split(' ');
    return sql`(cast(${Number(respawn_id)} as integer), ${date})`;
  });
  const who = [...characters, ...gone];
  const found: Expression<unknown>[] = [];
  if (named.length > 0) found.push(sql`values ${sql.join(named)}`);
  if (spots.size > 0) found.push(sql`select * from ${open.where('respawn_id', 'in', [...spots])} as of_spots`);
  if (who.length > 0) found.push(sql`select * from ${open.where('character_key', 'in', who)} as of_characters`);
  return found;
}

/** Gives waits the places that they have by now, however many they are. @returns them, whoever came first first */
export const placeAnew = (tx: Tx, ids: readonly number[]): Promise<Wait[]> =>
  readByIds(ids, async (some) => {
    await tx
      .updateTable('waits')
      .set(({ selectFrom }) => ({
        position: selectFrom('waits as before')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .whereRef('before.respawn_id', '=', 'waits.respawn_id')
          .whereRef('before.date', '=', 'waits.date')
          .whereRef('before.id', '<=', 'waits.id')
          .where('before.ended_at', 'is', null),
      }))
      .where('id', 'in', some)
      .execute();
    return tx.selectFrom('waits').select(WAIT_COLUMNS).where('id', 'in', some).orderBy('id').execute();
  });

/**
 * Notes of waits that hours are held for them by now: a character has those of one claim on a date at most. Whoever began to
 * wait without an event is of the hold's from now on, and goes when that does.
 */
export async function noteOffers(tx: Tx, ids: readonly number[]): Promise<void> {
  await readByIds(ids, (some) =>
    tx
      .updateTable('waits')
      .set(({ selectFrom }) => {
        const hold = selectFrom('claims')
          .whereRef('claims.character_key', '=', 'waits.character_key')
          .whereRef('claims.date', '=', 'waits.date')
          .where('claims.held_until', 'is not', null);
        return {
          status: 'offered',
          event_id: hold.select('claims.event_id'),
          held_claim_id: hold.select('claims.id'),
          held_until: hold.select('claims.held_until'),
          quiet_until: null,
        };
      })
      .where('id', 'in', some)
      .returning('id')
      .execute(),
  );
}

/** Keeps how many stand in line, which every write reads with the clock. @param n how many came; fewer than none: went */
export async function moveOpenWaits(tx: Tx, n: number): Promise<void> {
  await tx
    .updateTable('clock')
    .set({ open_waits: sql<number>`open_waits + ${n}` })
    .execute();
}
