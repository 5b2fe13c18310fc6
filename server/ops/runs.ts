import { hostname } from 'node:os';
import type { Updateable } from 'kysely';
import type { Logger } from 'pino';
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

/** Whether a run is still alive. Use the absolute difference: the clock may have jumped back. */
export const isAlive = ({ renewed_at }: { renewed_at: string }, now: Date): boolean =>
  Math.abs(now.getTime() - Date.parse(renewed_at)) <= LOST_AFTER_MS;

/**
 * Stores a run's progress periodically. Errors while storing are ignored.
 * @returns a function that stops it
 */
export function keepRenewing(
  { writes, now }: Pick<Writing, 'writes' | 'now'>,
  { table, id }: { table: 'backups' | 'checkups'; id: number },
  progress: () => Pick<Updateable<BackupsTable & CheckupsTable>, 'percent' | 'looking_at' | 'done'>,
): () => Promise<void> {
  let stored = '';
  let storedAt = performance.now();
  let storing: Promise<unknown> | null = null;
  const store = (columns: ReturnType<typeof progress>): Promise<unknown> =>
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

/** A run that is stored and not yet made. */
type BegunRun = (signal: AbortSignal) => Promise<void>;

/** Runs that owners request. */
export interface RequestedRuns {
  /** Starts one on this server, unless one is under way on any. */
  start: () => Promise<void>;
  /** Aborts the one on this server. */
  stop: () => Promise<void>;
}

/**
 * @param begin returns null if a run is under way
 * @param failed for the log
 */
export function createRequestedRuns(
  log: Pick<Logger, 'error'>,
  begin: () => Promise<BegunRun | null>,
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
