import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../db/open.ts';
import type { HeartbeatsTable } from '../db/schema.ts';
import { PAUSE_MS, type ServerClock } from './server-clock.ts';

/** How often a running server stores that it is there, in milliseconds. */
export const BEAT_EVERY_MS = 60_000;
/** A gap of up to this long, in milliseconds, is none: a server that was started anew, or was busy. */
const MAX_GAP_MS = 3 * 60_000;
/** Longer than any time in which a member has to do something, which is 75 minutes; and than a clock is a day ahead, in milliseconds. */
const KEPT_MS = 2 * 86_400_000;
/** So long after a gap, in milliseconds, the clock is believed again by what cannot be undone. */
const STEADY_AFTER_MS = PAUSE_MS;

type Span = Selectable<HeartbeatsTable>;

/**
 * Says when a server was there to be asked, and its clock went on without a jump: what a member has to do in time counts only
 * then, so that nobody is punished for a server that was away or a clock that was wrong.
 */
export interface Witness {
  /** Whether a server was there from the one moment to the other. */
  covers: (from: Date, until: Date) => boolean;
  /** Since when the clock has gone on without a gap; null: always. */
  steadySince: Date | null;
  /** From when on it is believed that a moment is over: at once where it was seen to pass, else an hour after the gap. */
  believes: (moment: Date) => Date;
}

export interface Heartbeats {
  /** Stores that the server is there now. */
  beat: (tx: Tx, now: Date) => Promise<void>;
  witness: (db: Db | Tx) => Promise<Witness>;
}

/** A handful: one for each time that the server was away within a day. The one that goes on is the last. */
const spansOf = (db: Db | Tx): Promise<Span[]> => db.selectFrom('heartbeats').selectAll().orderBy('beat_at').orderBy('began_at').execute();

export function createHeartbeats(clock: Pick<ServerClock, 'deletionPaused'>): Heartbeats {
  const begin = async (tx: Tx, at: string): Promise<void> => {
    const pause = clock.deletionPaused();
    const values = { began_at: at, beat_at: at, doubt: pause?.reason ?? null, doubt_seconds: pause?.seconds ?? 0 };
    await tx
      .insertInto('heartbeats')
      .values(values)
      .onConflict((conflict) => conflict.column('began_at').doUpdateSet(values))
      .execute();
  };

  return {
    beat: async (tx, now) => {
      const at = now.toISOString();
      const spans = await spansOf(tx);
      const last = spans.at(-1);
      const gap_ms = last ? now.getTime() - Date.parse(last.beat_at) : Number.POSITIVE_INFINITY;
      if (last && Math.abs(gap_ms) <= MAX_GAP_MS) {
        // Another server's clock may be some milliseconds ahead.
        if (gap_ms > 0) await tx.updateTable('heartbeats').set({ beat_at: at }).where('began_at', '=', last.began_at).execute();
      } else {
        if (gap_ms < 0) await forgetFuture(tx, at);
        await begin(tx, at);
      }
      await tx
        .deleteFrom('heartbeats')
        .where('beat_at', '<', new Date(now.getTime() - KEPT_MS).toISOString())
        .execute();
    },
    witness: async (db) => witnessOf(await spansOf(db)),
  };
}

/** The clock was set back: what was noted ahead of now has not been yet. */
async function forgetFuture(tx: Tx, at: string): Promise<void> {
  await tx.deleteFrom('heartbeats').where('began_at', '>=', at).execute();
  await tx.updateTable('heartbeats').set({ beat_at: at }).where('beat_at', '>', at).execute();
}

function witnessOf(spans: readonly Span[]): Witness {
  const last = spans.at(-1);
  const steadySince = last ? new Date(last.began_at) : null;
  return {
    steadySince,
    covers: (from, until) => spans.some(({ began_at, beat_at }) => began_at <= from.toISOString() && beat_at >= until.toISOString()),
    believes: (moment) => (steadySince === null || steadySince <= moment ? moment : new Date(steadySince.getTime() + STEADY_AFTER_MS)),
  };
}

/** For a clock that tests set: the server was there all the while. */
export const assumedHeartbeats: Heartbeats = {
  beat: async () => {},
  witness: async () => ({ covers: () => true, steadySince: null, believes: (moment) => moment }),
};

/** A pause that began shortly before this server started goes on: starting anew does not make a clock right. */
export async function continuePause(db: Db, clock: Pick<ServerClock, 'now' | 'pauseDeletion'>): Promise<void> {
  const last = (await spansOf(db)).at(-1);
  if (!last?.doubt) return;
  const left_ms = Date.parse(last.began_at) + PAUSE_MS - clock.now().getTime();
  if (left_ms > 0 && left_ms <= PAUSE_MS) clock.pauseDeletion(last.doubt, last.doubt_seconds, left_ms);
}

/** The newest time at which anything was stored; null in a new database. */
export async function newestStoredTime(db: Db): Promise<Date | null> {
  const [change, beat] = await Promise.all([
    // Says nothing but that the index is searched, and not gone through.
    db.selectFrom('changes').select('at').where('clock', '>=', sql.lit(0)).orderBy('clock', 'desc').limit(1).executeTakeFirst(),
    db.selectFrom('heartbeats').select('beat_at').orderBy('beat_at', 'desc').limit(1).executeTakeFirst(),
  ]);
  const [at = null] = [change?.at, beat?.beat_at]
    .filter((time) => time !== undefined)
    .sort()
    .reverse();
  return at === null ? null : new Date(at);
}
