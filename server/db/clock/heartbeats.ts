import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { HeartbeatsTable } from '../schema.ts';
import { PAUSE_MS, type ServerClock } from './server-clock.ts';

/** How often a running server stores a heartbeat, in ms. */
export const BEAT_EVERY_MS = 60_000;
/** Ignore gaps up to this long, in ms: a restart or a busy server. */
const MAX_GAP_MS = 3 * 60_000;
/** Keep heartbeats this long, in ms: longer than any deadline of a member (75 minutes), and than a clock that is a day ahead. */
const KEPT_MS = 2 * 86_400_000;
/** Trust the clock for irreversible actions again this long after a gap, in ms. */
const TRUSTED_AFTER_MS = PAUSE_MS;

type Span = Selectable<HeartbeatsTable>;

/**
 * Spans in which a server was up and its clock did not jump. Members' deadlines count only then: downtime or a wrong clock must not cost
 * a member their claim.
 */
export interface Uptime {
  wasUpDuring: (from: Date, until: Date) => boolean;
  /** The end of the last gap; null: there was none. */
  steadySince: Date | null;
  /** From when on an irreversible action may treat this moment as past: at once if a server was up then, else an hour after the gap. */
  trustsPast: (moment: Date) => Date;
  /** The same for a day that began then; at once, too, if no server was up before. */
  trustsDay: (begins: Date) => Date;
}

export interface Heartbeats {
  /** Stores that a server is up now. */
  beat: (tx: Tx, now: Date) => Promise<void>;
  uptime: (db: Db | Tx) => Promise<Uptime>;
}

/** Only a few rows: one for each gap of the last two days. The current span is the last. */
const spansOf = (db: Db | Tx): Promise<Span[]> =>
  db.selectFrom('heartbeats').selectAll().orderBy('beat_at').orderBy('began_at').execute();

export function createHeartbeats(clock: Pick<ServerClock, 'deletionPaused'>): Heartbeats {
  const beginSpan = async (tx: Tx, at: string): Promise<void> => {
    const pause = clock.deletionPaused();
    const values = {
      began_at: at,
      beat_at: at,
      pause_reason: pause?.reason ?? null,
      pause_seconds: pause?.seconds ?? 0,
    };
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
      const isGap = !last || Math.abs(gap_ms) > MAX_GAP_MS;
      const before = spans.at(isGap ? -1 : -2);
      if (last && !isGap) {
        // Another server's clock may be some milliseconds ahead.
        if (gap_ms > 0)
          await tx
            .updateTable('heartbeats')
            .set({ beat_at: at })
            .where('began_at', '=', last.began_at)
            .execute();
      } else {
        if (gap_ms < 0) await deleteFuture(tx, at);
        await beginSpan(tx, at);
      }
      await tx
        .deleteFrom('heartbeats')
        .where('beat_at', '<', new Date(now.getTime() - KEPT_MS).toISOString())
        // The span before this one shows that there was a gap.
        .where('beat_at', '<', before?.beat_at ?? '')
        .execute();
    },
    uptime: async (db) => uptimeOf(await spansOf(db)),
  };
}

/** The clock was set back: delete heartbeats dated in the future. */
async function deleteFuture(tx: Tx, at: string): Promise<void> {
  await tx.deleteFrom('heartbeats').where('began_at', '>=', at).execute();
  await tx.updateTable('heartbeats').set({ beat_at: at }).where('beat_at', '>', at).execute();
}

function uptimeOf(spans: readonly Span[]): Uptime {
  const last = spans.at(-1);
  const steadySince = last ? new Date(last.began_at) : null;
  const wasUpDuring: Uptime['wasUpDuring'] = (from, until) =>
    spans.some(
      ({ began_at, beat_at }) => began_at <= from.toISOString() && beat_at >= until.toISOString(),
    );
  const trustsPast: Uptime['trustsPast'] = (moment) =>
    steadySince === null || steadySince <= moment
      ? moment
      : new Date(steadySince.getTime() + TRUSTED_AFTER_MS);
  return {
    steadySince,
    wasUpDuring,
    trustsPast,
    trustsDay: (begins) =>
      spans.length < 2 || wasUpDuring(begins, begins) ? begins : trustsPast(begins),
  };
}

/** Without a gap, for command-line tools and for tests that set the clock. */
export const assumedHeartbeats: Heartbeats = {
  beat: async () => {},
  uptime: async () => ({
    wasUpDuring: () => true,
    steadySince: null,
    trustsPast: (moment) => moment,
    trustsDay: (begins) => begins,
  }),
};

/** Continues a pause that began within the last hour: a restart does not correct the clock. */
export async function continuePause(
  db: Db,
  clock: Pick<ServerClock, 'now' | 'pauseDeletion'>,
): Promise<void> {
  const last = (await spansOf(db)).at(-1);
  if (!last?.pause_reason) return;
  const left_ms = Date.parse(last.began_at) + PAUSE_MS - clock.now().getTime();
  if (left_ms > 0 && left_ms <= PAUSE_MS)
    clock.pauseDeletion(last.pause_reason, last.pause_seconds, left_ms);
}

/** The newest time at which anything was stored; null in a new database. */
export async function newestStoredTime(db: Db): Promise<Date | null> {
  // The condition is always true; it makes the planner search the index instead of scanning it.
  const changes = db
    .selectFrom('changes')
    .select('at')
    .where('clock', '>=', sql.lit(0))
    .orderBy('clock', 'desc')
    .limit(1);
  const beats = db.selectFrom('heartbeats').select('beat_at').orderBy('beat_at', 'desc').limit(1);
  // One after the other: both at once would open a second connection at each start.
  const change = await changes.executeTakeFirst();
  const beat = await beats.executeTakeFirst();
  const [at = null] = [change?.at, beat?.beat_at]
    .filter((time) => time !== undefined)
    .sort()
    .reverse();
  return at === null ? null : new Date(at);
}
