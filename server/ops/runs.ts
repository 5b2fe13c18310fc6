import { hostname } from 'node:os';
import type { Insertable } from 'kysely';
import type { Logger } from 'pino';
import type { Tx } from '../db/database.ts';
import type { BackupsTable, CheckupsTable } from '../db/schema.ts';
import type { Writing } from '../db/unit-of-work.ts';
import { onBehalfOfAll } from '../db/write-queue.ts';

/* Backups and checks: stored with their progress, so that all servers see them and that their server is alive. */

/** A run that was not renewed for this long died with its server. In milliseconds. */
const LOST_AFTER_MS = 60_000;
/** Store changed progress at most this often, in milliseconds. */
const PROGRESS_EVERY_MS = 500;
/** Renew a run this often even if it does not progress, in milliseconds: it is still alive. */
const RENEW_EVERY_MS = 10_000;

/** How the database knows this machine. */
export const serverName = (): string => hostname();

export type RunContext = Pick<Writing, 'writes' | 'now'>;

/** How the runs of one table are recorded. */
export interface RunKind {
  table: 'backups' | 'checkups';
  /** Ended runs to keep. */
  kept: number;
  /** Ends runs that failed, in the write that learns it. */
  fail: (tx: Tx, ids: readonly number[], end: { error: string; ended_at: string }) => Promise<void>;
}

type RunColumns = Partial<Omit<Insertable<BackupsTable> & Insertable<CheckupsTable>, 'id'>>;
type RunProgress = Pick<RunColumns, 'percent' | 'looking_at' | 'done'>;

/** The work of a run, which reports its progress. @returns the columns of its result */
type RunWork<R extends RunColumns> = (report: (progress: RunProgress) => void) => Promise<R>;

/** A run that is recorded and not yet made. @throws errors of the work, which the record then has */
export type BegunRun = <R extends RunColumns>(work: RunWork<R>) => Promise<R>;

/** The error of a run whose server was killed. */
export const LOST_RUN = 'the server that made it stopped';

/**
 * Records the start of a run, and that those of stopped servers failed.
 * @param columns the kind's own
 * @returns null if one is under way that excludes it
 */
export async function beginRun(
  ctx: RunContext,
  { table, kept, fail }: RunKind,
  columns: RunColumns,
): Promise<BegunRun | null> {
  const { writes, now } = ctx;
  const begun = await writes.transaction(async (tx) => {
    const at = now().toISOString();
    const running = await tx
      .selectFrom(table)
      .select(['id', 'renewed_at'])
      .where('ended_at', 'is', null)
      .execute();
    const lost = running.filter((run) => !isAlive(run, now())).map(({ id }) => id);
    if (lost.length > 0) await fail(tx, lost, { error: LOST_RUN, ended_at: at });
    const values = { ...columns, server: serverName(), started_at: at, renewed_at: at };
    return tx
      .insertInto(table)
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
  });
  if (!begun) return null;
  const { id } = begun;
  const end = (store: (tx: Tx, ended_at: string) => Promise<unknown>): Promise<void> =>
    writes.transaction(async (tx) => {
      await store(tx, now().toISOString());
      const oldest = await tx
        .selectFrom(table)
        .select('id')
        .orderBy('id', 'desc')
        .offset(kept)
        .limit(1)
        .executeTakeFirst();
      if (oldest) await tx.deleteFrom(table).where('id', '<=', oldest.id).execute();
    });
  return async (work) => {
    let progress: RunProgress = {};
    const stopRenewing = keepRenewing(ctx, { table, id }, () => progress);
    const result = await work((reached) => {
      progress = reached;
    }).catch(async (error: unknown) => {
      await stopRenewing();
      const reason = error instanceof Error ? error.message : String(error);
      // The caller logs the reason, even if the database cannot store it.
      await end((tx, ended_at) => fail(tx, [id], { error: reason, ended_at })).catch(() => {});
      throw error;
    });
    await stopRenewing();
    await end((tx, ended_at) =>
      tx
        .updateTable(table)
        .set({ ...result, ended_at })
        .where('id', '=', id)
        .execute(),
    );
    return result;
  };
}

/** Whether a run is still alive. Use the absolute difference: the clock may have jumped back. */
export const isAlive = ({ renewed_at }: { renewed_at: string }, now: Date): boolean =>
  Math.abs(now.getTime() - Date.parse(renewed_at)) <= LOST_AFTER_MS;

/**
 * Stores a run's progress periodically. Errors while storing are ignored.
 * @returns a function that stops it
 */
function keepRenewing(
  { writes, now }: RunContext,
  { table, id }: Pick<RunKind, 'table'> & { id: number },
  progress: () => RunProgress,
): () => Promise<void> {
  let stored = '';
  let storedAt = performance.now();
  let storing: Promise<unknown> | null = null;
  const store = (columns: RunProgress): Promise<unknown> =>
    writes.transaction((tx) =>
      tx
        .updateTable(table)
        .set({ ...columns, renewed_at: now().toISOString() })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .execute(),
    );
  const timer = setInterval(() => {
    const columns = progress();
    const text = JSON.stringify(columns);
    if (storing || (text === stored && performance.now() - storedAt < RENEW_EVERY_MS)) return;
    stored = text;
    storedAt = performance.now();
    storing = store(columns)
      .catch(() => {})
      .finally(() => {
        storing = null;
      });
  }, PROGRESS_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await storing;
  };
}

export interface RequestedRuns {
  /** Starts one on this server, unless one is under way on any. */
  start: () => Promise<void>;
  /** Aborts the one on this server. */
  stop: () => Promise<void>;
}

/**
 * @param begin records the run and returns its work; null if one is running
 * @param failed for the log
 */
export function createRequestedRuns(
  log: Pick<Logger, 'error'>,
  begin: () => Promise<((signal: AbortSignal) => Promise<void>) | null>,
  failed: string,
): RequestedRuns {
  let running: Promise<void> | null = null;
  const stopping = new AbortController();
  return {
    start: async () => {
      if (stopping.signal.aborted) return;
      const run = await begin();
      if (!run) return;
      // Not on behalf of the owner's request: its writes are refused once it is answered.
      running = onBehalfOfAll(() => run(stopping.signal)).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, failed);
      });
    },
    stop: async () => {
      stopping.abort(new Error('the server stopped'));
      await running;
    },
  };
}
