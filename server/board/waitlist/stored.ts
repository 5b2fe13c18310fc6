import { type Expression, type SqlBool, sql } from 'kysely';
import type { Wait } from '../../../shared/schemas/wait.ts';
import type { Db, Tx } from '../../db/open.ts';
import { inBatches, readByIds } from '../../db/queries.ts';
import type { Flag } from '../../db/schema.ts';
import type { TouchedLines } from './affected-waitlists.ts';
import { WAIT_COLUMNS } from './queries.ts';

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
