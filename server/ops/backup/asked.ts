import type { SystemBackup } from '../../../shared/schemas/system.ts';
import type { Db } from '../../db/open.ts';
import { onBehalfOfAll } from '../../db/write-queue.ts';
import { beginBackup, type Making } from './make.ts';
import { isAlive, lastRequested } from './records.ts';

/** Backups that owners request: one at a time, of all servers on the database. */
export interface RequestedBackups {
  /** The same on every server. */
  state: () => Promise<Pick<SystemBackup, 'running' | 'failure'>>;
  /** Begins one on this server, unless one is being made on any. */
  start: () => Promise<void>;
  /** Ends the one that this server makes; only its record stays. */
  stop: () => Promise<void>;
}

export function createRequestedBackups(ctx: Making & { db: Db }): RequestedBackups {
  let making: Promise<void> | null = null;
  const stopping = new AbortController();
  return {
    state: async () => {
      const last = await lastRequested(ctx.db);
      if (last?.ended_at === null && isAlive(last, ctx.now()))
        return { running: { started_at: last.started_at, percent: last.percent }, failure: null };
      if (last?.ended_at === null) return { running: null, failure: { at: last.renewed_at, reason: 'the server that made it stopped' } };
      return { running: null, failure: last?.error ? { at: last.ended_at, reason: last.error } : null };
    },
    start: async () => {
      if (stopping.signal.aborted) return;
      const begun = await beginBackup(ctx, 'asked');
      if (!begun) return;
      // It outlives the request of the owner, whose writes are refused once that is answered.
      making = onBehalfOfAll(() => begun.make(stopping.signal)).catch((error: unknown) => {
        if (!stopping.signal.aborted) ctx.log.error({ err: error }, 'the requested backup failed');
      });
    },
    stop: async () => {
      stopping.abort(new Error('the server stopped'));
      await making;
    },
  };
}
