import { sql } from 'kysely';
import type { Change, Kind, RecordId, RecordOfKind } from '../../shared/live.ts';
import { serverSaveToday } from '../config/clock.ts';
import type { Context } from '../context.ts';
import type { Tx } from './open.ts';

/** Who a change is for: a spot that is disabled is removed for members and put for admins. */
export type Audience = 'all' | 'members' | 'admins';

export interface StoredChange {
  audience: Audience;
  change: Change;
}
export interface StoredChangeSet {
  clock: number;
  /** When it was written; with what changed it tells the set from another history's of the same clock. */
  at: string;
  changes: readonly StoredChange[];
}

/** Collects what a write changes, for everyone who watches. */
export interface ChangeRecorder {
  put: (record: RecordOfKind, audience?: Audience) => void;
  remove: (kind: Kind, id: RecordId, audience?: Audience) => void;
  /** Tells every watcher to ask for a new snapshot: for writes that change very much at once. */
  reset: () => void;
}

export const NOTIFY_CHANNEL = 'claimboard_changes';
/** Change sets kept for watchers that catch up; one that was away for longer gets a snapshot. */
export const CHANGE_SETS_KEPT = 5_000;
const PRUNE_EVERY = 100;
/** More than come in between; never all of a backlog at once. */
const PRUNED_AT_ONCE = 1_000;

const ADMINS_ONLY: ReadonlySet<Kind> = new Set<Kind>(['access_key', 'verified_code', 'activity']);

/**
 * The one way to write: one transaction, one tick of the clock, one change set. The clock row is bumped first,
 * because it is the write lock: bumped last, racing claims would all read a free spot. After the commit the
 * change set is published. `work` must not await anything but the database. It begins when those before it are done.
 * @throws whatever `work` throws, or DomainError server.busy, DatabaseAway; then nothing is written, published or ticked
 * @throws DomainError server.outcomeUnknown when the database fell silent at the end: it may be stored, and is then published later
 */
export async function write<T>(ctx: Context, work: (tx: Tx, changes: ChangeRecorder) => Promise<T>): Promise<T> {
  const { result, set } = await ctx.writes.transaction(async (tx) => {
    const today = serverSaveToday(ctx);
    const { value: clock, board_date: lastDate } = await tx
      .updateTable('clock')
      .set({ value: sql<number>`value + 1` })
      .returning(['value', 'board_date'])
      .executeTakeFirstOrThrow();
    const stored: StoredChange[] = [];
    const result = await work(tx, recorder(stored));
    if (lastDate !== today) {
      await tx.updateTable('clock').set({ board_date: today }).execute();
      // Without an event the board begins today, so a new day takes claims off it that no change names.
      if (lastDate !== '' && !(await isEventActive(tx))) stored.push({ audience: 'all', change: { op: 'reset' } });
    }
    const set: StoredChangeSet = { clock, at: ctx.now().toISOString(), changes: stored };
    await tx
      .insertInto('changes')
      .values({ clock, body: JSON.stringify(stored), at: set.at })
      .execute();
    if (clock % PRUNE_EVERY === 0) await forgetChanges(tx, clock - CHANGE_SETS_KEPT);
    if (ctx.dialect === 'postgres') await sql`select pg_notify(${NOTIFY_CHANNEL}, ${String(clock)})`.execute(tx);
    return { result, set };
  });
  ctx.bus.offer(set);
  // Another server wrote in between: whoever is answered now reads what they wrote, and whose key it ended is refused, all the same.
  if (ctx.bus.clock() < set.clock) await ctx.bus.reached(set.clock);
  return result;
}

async function forgetChanges(tx: Tx, until: number): Promise<void> {
  const old = tx.selectFrom('changes').select('clock').where('clock', '<=', until).orderBy('clock').limit(PRUNED_AT_ONCE);
  await tx.deleteFrom('changes').where('clock', 'in', old).execute();
}

/** As `work` left it: an event that was activated in this very write asked for a reset of its own. */
async function isEventActive(tx: Tx): Promise<boolean> {
  return (
    (await tx
      .selectFrom('events')
      .select('id')
      .where((event) => event('is_active', '=', event.lit(1)))
      .executeTakeFirst()) !== undefined
  );
}

function recorder(stored: StoredChange[]): ChangeRecorder {
  const audienceOf = (kind: Kind): Audience => (ADMINS_ONLY.has(kind) ? 'admins' : 'all');
  return {
    put: (record, audience = audienceOf(record.kind)) => stored.push({ audience, change: { op: 'put', ...record } }),
    remove: (kind, id, audience = audienceOf(kind)) => stored.push({ audience, change: { op: 'remove', kind, id } }),
    reset: () => stored.push({ audience: 'all', change: { op: 'reset' } }),
  };
}

/** What members, or admins, are told of a change set: for members it may be empty, but never missing. */
export function changesFor(role: 'members' | 'admins', set: StoredChangeSet): { clock: number; changes: Change[] } {
  return {
    clock: set.clock,
    changes: set.changes.filter(({ audience }) => audience === 'all' || audience === role).map(({ change }) => change),
  };
}
