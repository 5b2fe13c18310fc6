import { type Expression, type Insertable, type SqlBool, sql } from 'kysely';
import { omit } from '../../../shared/omit.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { MAX_LIST } from '../../../shared/schemas/fields.ts';
import { type Wait, type WaitAndEnd, type WaitsQuery, wait } from '../../../shared/schemas/wait.ts';
import { type Db, inBatches, pageBounds, readByIds, type Tx } from '../../db/database.ts';
import type { Database, Flag } from '../../db/schema.ts';
import { oldestFirst, recordSource } from '../../live/record-kinds.ts';
import type { FreeHours } from '../freed-hours.ts';
import type { AuthorizedCharacter } from '../records/members.ts';

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

/** In the order of joining. */
export const openEntries = (db: Db | Tx): Promise<Wait[]> =>
  db.selectFrom('waits').select(WAIT_COLUMNS).where('ended_at', 'is', null).orderBy('id').execute();

export async function findWait(db: Db | Tx, id: number): Promise<Wait | null> {
  return (
    (await db.selectFrom('waits').select(WAIT_COLUMNS).where('id', '=', id).executeTakeFirst()) ??
    null
  );
}

/** A page of open and ended entries, the newest first. */
export function pageOfEntries(db: Db, page: WaitsQuery): Promise<WaitAndEnd[]> {
  const { most, last_id } = pageBounds(page);
  return entriesIn(db, page)
    .select(WAIT_COLUMNS)
    .select('ended_at')
    .where('id', '<=', last_id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

export async function countEntries(db: Db, query: WaitsQuery): Promise<number> {
  const counted = entriesIn(db, query).select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

function entriesIn(db: Db, { from, to, state }: WaitsQuery) {
  const all = db.selectFrom('waits');
  const waits =
    state === undefined ? all : all.where('ended_at', state === 'open' ? 'is' : 'is not', null);
  if (from === undefined && to === undefined) return waits;
  // By id, in id order: a page must not sort all entries of the dates.
  let dated = db.selectFrom('waits as dated').select('dated.id');
  if (from !== undefined) dated = dated.where('dated.date', '>=', from);
  if (to !== undefined) dated = dated.where('dated.date', '<=', to);
  // Materialized, or PostgreSQL may scan all newer entries.
  return waits.where(sql<SqlBool>`id in (with ids as materialized ${dated} select id from ids)`);
}

/** Entries of a character that ended since then, the latest first. */
export const endedEntriesOf = (
  db: Db | Tx,
  character_key: string,
  since: string,
): Promise<Wait[]> =>
  db
    .selectFrom('waits')
    .select(WAIT_COLUMNS)
    .where('character_key', '=', character_key)
    .where('ended_at', '>=', since)
    .orderBy('ended_at', 'desc')
    .limit(MAX_LIST)
    .execute();

/** Counts up to `most`. */
export async function countEnded(
  tx: Tx,
  character_key: string,
  { since, most }: { since: string; most: number },
): Promise<number> {
  const ended = tx
    .selectFrom('waits')
    .select('id')
    .where('character_key', '=', character_key)
    .where('ended_at', '>=', since);
  return (await ended.limit(most).execute()).length;
}

export const waitRecords = recordSource('wait', {
  schema: wait,
  read: ({ tx }) => openEntries(tx),
  order: oldestFirst,
});

/** An entry with the columns that its record doesn't show. */
export interface StoredEntry extends Wait {
  character_key: string;
  /** Until when it is skipped for its character's quiet hours. */
  quiet_until: string | null;
  /** An admin added the entry. */
  is_by_admin: Flag;
  /** Bit set of the hours that were occupied when the character joined: an offer includes one of them (R9.6). */
  wanted_hours: number;
}
const COLUMNS = [
  ...WAIT_COLUMNS,
  'character_key',
  'quiet_until',
  'is_by_admin',
  'wanted_hours',
] as const;

export const waitRecord = (entry: StoredEntry): Wait =>
  omit(entry, 'character_key', 'quiet_until', 'is_by_admin', 'wanted_hours');

/** Open or ended. */
export async function findStoredEntry(tx: Tx, id: number): Promise<StoredEntry | null> {
  return (
    (await tx.selectFrom('waits').select(COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null
  );
}

export async function openEntriesOf(
  tx: Tx,
  character_keys: readonly string[],
): Promise<StoredEntry[]> {
  const found: StoredEntry[] = [];
  const open = tx.selectFrom('waits').select(COLUMNS).where('ended_at', 'is', null).orderBy('id');
  for (const some of inBatches(character_keys))
    found.push(...(await open.where('character_key', 'in', some).execute()));
  return found;
}

/** The open entries whose hours these holds hold. */
export const offeredEntries = (tx: Tx, claim_ids: readonly number[]): Promise<StoredEntry[]> =>
  readByIds(claim_ids, (some) =>
    tx
      .selectFrom('waits')
      .select(COLUMNS)
      .where('ended_at', 'is', null)
      .where('held_claim_id', 'in', some)
      .orderBy('id')
      .execute(),
  );

/** The holds of some hours of a spot. */
export async function holdsWithin(
  tx: Tx,
  { respawn_id, date, hour_start, hour_end }: HourRange & { respawn_id: number; date: string },
): Promise<number[]> {
  const holds = await tx
    .selectFrom('occupied_hours')
    .innerJoin('claims', 'claims.id', 'occupied_hours.claim_id')
    .select('claims.id')
    .distinct()
    .where('respawn_id', '=', respawn_id)
    .where('occupied_hours.date', '=', date)
    .where('hour', '>=', hour_start)
    .where('hour', '<', hour_end)
    .where('held_until', 'is not', null)
    .execute();
  return holds.map(({ id }) => id);
}

/** Stores that offered entries wait again. @returns their records */
export const waitAgain = (tx: Tx, waits: readonly StoredEntry[]): Promise<Wait[]> =>
  readByIds(
    waits.map(({ id }) => id),
    (some) =>
      tx
        .updateTable('waits')
        .set({ status: 'waiting', held_claim_id: null, held_until: null })
        .where('id', 'in', some)
        .returning(WAIT_COLUMNS)
        .execute(),
  );

/** On any date. */
export const openEntriesAt = (tx: Tx, respawn_ids: readonly number[]): Promise<StoredEntry[]> =>
  readByIds(respawn_ids, (some) =>
    tx
      .selectFrom('waits')
      .select(COLUMNS)
      .where('respawn_id', 'in', some)
      .where('ended_at', 'is', null)
      .orderBy('id')
      .execute(),
  );

/** Open entries whose hold expired by then, the earliest first. */
export const entriesWithExpiredHold = (tx: Tx, until: string): Promise<StoredEntry[]> =>
  tx
    .selectFrom('waits')
    .select(COLUMNS)
    .where('ended_at', 'is', null)
    .where('held_until', 'is not', null)
    .where('held_until', '<=', until)
    .orderBy('held_until')
    .orderBy('id')
    .execute();

/** When holds were made or restarted, by claim id. */
export async function holdsMadeAt(
  tx: Tx,
  waits: readonly Pick<StoredEntry, 'held_claim_id'>[],
): Promise<ReadonlyMap<number, string>> {
  const ids = waits.flatMap(({ held_claim_id }) => held_claim_id ?? []);
  const claims = await readByIds(ids, (some) =>
    tx.selectFrom('claims').select(['id', 'created_at']).where('id', 'in', some).execute(),
  );
  return new Map(claims.map(({ id, created_at }) => [id, created_at]));
}

export const holdsEndingAfter = (db: Db | Tx, until: string) =>
  db
    .selectFrom('waits')
    .select('id')
    .where('ended_at', 'is', null)
    .where('held_until', 'is not', null)
    .where('held_until', '>', until)
    .orderBy('held_until');

export const firstToEnd = (
  db: Db | Tx,
): Promise<Pick<StoredEntry, 'date' | 'hour_end'> | undefined> =>
  byEnd(db).select(['date', 'hour_end']).limit(1).executeTakeFirst();

/** Open entries on dates up to this one, by the end of their hours. */
export const entriesUntil = (tx: Tx, last_date: string): Promise<StoredEntry[]> =>
  byEnd(tx).select(COLUMNS).where('date', '<=', last_date).execute();

/** Open entries on dates from this one on, by the end of their hours. */
export const entriesFrom = (
  db: Db | Tx,
  first_date: string,
): Promise<Pick<StoredEntry, 'date' | 'hour_end'>[]> =>
  byEnd(db).select(['date', 'hour_end']).where('date', '>=', first_date).execute();

const byEnd = (db: Db | Tx) =>
  db
    .selectFrom('waits')
    .where('ended_at', 'is', null)
    // Always true; it makes the planner search the index instead of scanning it.
    .where('date', '>=', sql.lit(''))
    .orderBy('date')
    .orderBy('hour_end')
    .orderBy('id');

/** In the order of joining. */
export const openStoredEntries = (tx: Tx): Promise<StoredEntry[]> => storedAndOpen(tx).execute();

const storedAndOpen = (tx: Tx) =>
  tx.selectFrom('waits').select(COLUMNS).where('ended_at', 'is', null).orderBy('id');

/** All open entries of the waitlists where hours may be free, in the order of joining. */
export function entriesOfWaitlists(tx: Tx, free: FreeHours): Promise<StoredEntry[]> {
  const open = storedAndOpen(tx);
  if (free.everywhere) return open.execute();
  const found = waitlistsIn(tx, free);
  if (found.length === 0) return Promise.resolve([]);
  const waitlists = sql`with free (respawn_id, date) as (${sql.join(found, sql` union all `)}) select respawn_id, date from free`;
  return open.where(sql<SqlBool>`(respawn_id, date) in (${waitlists})`).execute();
}

/** A subquery for each index: SQLite wouldn't use the indexes for one condition with `or`. */
function waitlistsIn(tx: Tx, { waitlists, spots, characters }: FreeHours): Expression<unknown>[] {
  const open = tx.selectFrom('waits').select(['respawn_id', 'date']).where('ended_at', 'is', null);
  const named = [...waitlists].map((waitlist) => {
    const [respawn_id = '', date = ''] = waitlist.split(' ');
    return sql`(cast(${Number(respawn_id)} as integer), ${date})`;
  });
  const found: Expression<unknown>[] = [];
  if (named.length > 0) found.push(sql`values ${sql.join(named)}`);
  if (spots.size > 0)
    found.push(sql`select * from ${open.where('respawn_id', 'in', [...spots])} as of_spots`);
  if (characters.size > 0)
    found.push(
      sql`select * from ${open.where('character_key', 'in', [...characters])} as of_characters`,
    );
  return found;
}

/** Stores the positions of entries as of now. @returns the entries, in the order of joining */
export const updatePositions = (tx: Tx, ids: readonly number[]): Promise<Wait[]> =>
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
    return tx
      .selectFrom('waits')
      .select(WAIT_COLUMNS)
      .where('id', 'in', some)
      .orderBy('id')
      .execute();
  });

/**
 * Stores the holds of entries: a character has at most one on a date. An entry that began without an event takes the hold's event,
 * and ends with it.
 */
export async function storeOfferedEntries(tx: Tx, ids: readonly number[]): Promise<void> {
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

/** Stores a new entry. @returns its id */
export async function storeEntry(
  tx: Tx,
  { character_name, character_key }: AuthorizedCharacter,
  fields: Omit<Insertable<Database['waits']>, 'character_name' | 'character_key'>,
): Promise<number> {
  const row = { ...fields, character_name, character_key };
  const { id } = await tx.insertInto('waits').values(row).returning('id').executeTakeFirstOrThrow();
  await addToOpenCount(tx, 1);
  return id;
}

/** Adds to the number of open entries, which every write reads with the clock. */
export async function addToOpenCount(tx: Tx, n: number): Promise<void> {
  await tx
    .updateTable('clock')
    .set({ open_waits: sql<number>`open_waits + ${n}` })
    .execute();
}
