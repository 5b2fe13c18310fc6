import type { Expression, SqlBool } from 'kysely';
import type { Wait } from '../../shared/schemas/wait.ts';
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
