import type { Change } from '../../shared/live.ts';
import type { Audience, StoredChange, StoredChangeSet } from '../db/change-set.ts';
import type { Db } from '../db/open.ts';
import type { Role } from './role.ts';

const HEARD: Readonly<Record<Role, readonly Audience[]>> = {
  members: ['all', 'members'],
  viewers: ['all', 'dashboard'],
  admins: ['all', 'dashboard', 'admins'],
};

/** The change sets from a clock on, that clock's included. */
export async function changeSetsFrom(db: Db, clock: number): Promise<StoredChangeSet[]> {
  const rows = await db.selectFrom('changes').select(['clock', 'body', 'at']).where('clock', '>=', clock).orderBy('clock').execute();
  return rows.map((row) => {
    const changes: StoredChange[] = JSON.parse(row.body);
    return { clock: row.clock, at: row.at, changes };
  });
}

/** The change sets after a clock. */
export const changeSetsSince = (db: Db, clock: number): Promise<StoredChangeSet[]> => changeSetsFrom(db, clock + 1);

/** How long the change sets after a clock are together, as text. */
export async function lengthSince(db: Db, clock: number): Promise<number> {
  const { length } = await db
    .selectFrom('changes')
    .select(({ fn }) => fn.sum<number | null>(fn<number>('length', ['body'])).as('length'))
    .where('clock', '>', clock)
    .executeTakeFirstOrThrow();
  return Number(length ?? 0);
}

/** Whether two are the same one: another history has another set of the same clock. */
export const isSameSet = (one: StoredChangeSet, other: StoredChangeSet): boolean =>
  one.clock === other.clock && one.at === other.at && JSON.stringify(one.changes) === JSON.stringify(other.changes);

/** What is told of a change set in a room: it may be empty, but is never missing. */
export function changesFor(role: Role, set: StoredChangeSet): { clock: number; changes: Change[] } {
  return {
    clock: set.clock,
    changes: set.changes.filter(({ audience }) => HEARD[role].includes(audience)).map(({ change }) => change),
  };
}
