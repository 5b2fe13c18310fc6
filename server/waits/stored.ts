import type { Expression, SqlBool } from 'kysely';
import type { Wait } from '../../shared/schemas/wait.ts';
import { byIds } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import type { TouchedLines } from '../live/touched.ts';
import { WAIT_COLUMNS } from './queries.ts';

/** A wait with the key its character is compared by. */
export interface StoredWait extends Wait {
  character_key: string;
}
const COLUMNS = [...WAIT_COLUMNS, 'character_key'] as const;

/** A wait, open or not. */
export async function findStoredWait(tx: Tx, id: number): Promise<StoredWait | null> {
  return (await tx.selectFrom('waits').select(COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Those of a character that are open. */
export const openWaitsOf = (tx: Tx, character_key: string): Promise<StoredWait[]> =>
  tx.selectFrom('waits').select(COLUMNS).where('character_key', '=', character_key).where('ended_at', 'is', null).orderBy('id').execute();

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

/** Everybody in the lines that were touched, whoever came first first: each line whole. */
export function waitsInLines(tx: Tx, touched: TouchedLines): Promise<StoredWait[]> {
  const open = tx.selectFrom('waits').select(COLUMNS).where('ended_at', 'is', null).orderBy('id');
  if (touched.all) return open.execute();
  const [spots, characters] = [[...touched.spots], [...touched.characters, ...touched.gone]];
  const lines = [...touched.lines].map((line) => {
    const [respawn_id = '', date = ''] = line.split(' ');
    return { respawn_id: Number(respawn_id), date };
  });
  return open
    .where(({ eb, refTuple, selectFrom }) => {
      const found = selectFrom('waits as found')
        .select(['found.respawn_id', 'found.date'])
        .where('found.ended_at', 'is', null)
        .where((which) => {
          const any: Expression<SqlBool>[] = lines.map(({ respawn_id, date }) =>
            which.and([which('found.respawn_id', '=', respawn_id), which('found.date', '=', date)]),
          );
          if (spots.length > 0) any.push(which('found.respawn_id', 'in', spots));
          if (characters.length > 0) any.push(which('found.character_key', 'in', characters));
          return which.or(any);
        });
      return eb(refTuple('waits.respawn_id', 'waits.date'), 'in', found.$asTuple('respawn_id', 'date'));
    })
    .execute();
}

/** Gives waits the places that they have by now, however many they are. @returns them, whoever came first first */
export const placeAnew = (tx: Tx, ids: readonly number[]): Promise<Wait[]> =>
  byIds(ids, async (some) => {
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

/** Notes of waits that hours are held for them by now: a character has those of one claim on a date at most. */
export async function noteOffers(tx: Tx, ids: readonly number[]): Promise<void> {
  await byIds(ids, (some) =>
    tx
      .updateTable('waits')
      .set(({ selectFrom }) => {
        const hold = selectFrom('claims')
          .whereRef('claims.character_key', '=', 'waits.character_key')
          .whereRef('claims.date', '=', 'waits.date')
          .where('claims.held_until', 'is not', null);
        return { status: 'offered', held_claim_id: hold.select('claims.id'), held_until: hold.select('claims.held_until') };
      })
      .where('id', 'in', some)
      .returning('id')
      .execute(),
  );
}
