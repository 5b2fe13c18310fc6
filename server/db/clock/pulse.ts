import type { Logger } from 'pino';
import type { Db, Dialect } from '../database.ts';
import { DatabaseAway } from '../errors.ts';
import { newerMigration } from '../migrate.ts';
import type { WriteQueue } from '../write-queue.ts';
import { BEAT_EVERY_MS, type Heartbeats } from './heartbeats.ts';
import { ANNOUNCE_EVERY_MS, type Peers } from './peers.ts';
import type { ServerClock } from './server-clock.ts';

/** How often a server checks its schema and its clock, in ms. */
const EVERY_MS = 1_000;

export interface Pulse {
  /** Resolves with the name of a migration that this program does not know, once a newer program has applied it. */
  outdated: Promise<string>;
  /** Does the minute's work now. @throws errors of the database */
  beat: () => Promise<void>;
  stop: () => void;
}

export interface PulseContext {
  db: Db;
  dialect: Dialect;
  writes: Pick<WriteQueue, 'transaction'>;
  heartbeats: Heartbeats;
  peers: Peers;
  clock: Pick<ServerClock, 'check'>;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
}

export interface PulseTasks {
  /** Called when this server's settings agree with the others' again. */
  agreed: () => Promise<void>;
  everyMinute: () => Promise<void>;
}

/**
 * Checks the schema and the clock each second. Each minute it stores a heartbeat, compares the settings with those of the other
 * servers, and runs `everyMinute`. The caller calls `beat` first.
 */
export function keepPulse(ctx: PulseContext, tasks: PulseTasks, everyMs = EVERY_MS): Pulse {
  let areDeadlinesScheduled = false;
  let announced_ms = Number.NEGATIVE_INFINITY;
  /** Deadlines may have been scheduled with other settings while this server was not running jobs. */
  const meetPeers = async (meet: 'announce' | 'compare'): Promise<void> => {
    if (meet === 'announce') announced_ms = performance.now();
    await ctx.peers[meet]();
    const isDiffering = ctx.peers.differing().length > 0;
    if (!isDiffering && !areDeadlinesScheduled) await tasks.agreed();
    areDeadlinesScheduled = !isDiffering;
  };
  const beat = async (): Promise<void> => {
    await meetPeers('announce');
    await ctx.writes.transaction((tx) => ctx.heartbeats.beat(tx, ctx.now()));
    await tasks.everyMinute();
  };
  const { promise: outdated, resolve: becomeOutdated } = Promise.withResolvers<string>();
  let last_ms = performance.now();
  let isBusy = false;
  const look = async (): Promise<void> => {
    const newer = await newerMigration(ctx.db);
    if (newer !== null) return becomeOutdated(newer);
    await ctx.clock.check();
    if (performance.now() - last_ms >= BEAT_EVERY_MS) {
      last_ms = performance.now();
      await beat();
    } else if (ctx.dialect === 'postgres' && performance.now() - announced_ms >= ANNOUNCE_EVERY_MS)
      await meetPeers('announce');
    else if (ctx.peers.differing().length > 0) await meetPeers('compare');
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    look()
      .catch((error: unknown) => {
        // An unreachable database is logged elsewhere.
        if (!(error instanceof DatabaseAway))
          ctx.log.warn(
            { err: error },
            'checking the schema, the clock or the other servers failed',
          );
      })
      .finally(() => {
        isBusy = false;
      });
  }, everyMs);
  timer.unref();
  return { outdated, beat, stop: () => clearInterval(timer) };
}
