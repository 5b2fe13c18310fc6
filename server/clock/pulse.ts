import { correctBoardDate } from '../config/day.ts';
import type { Context } from '../context.ts';
import { DatabaseAway } from '../db/failures.ts';
import { newerMigration } from '../db/schema-watch.ts';
import { BEAT_EVERY_MS } from './heartbeats.ts';

/** How often a server looks after its schema and its clock, in milliseconds. */
const EVERY_MS = 1_000;

export interface Pulse {
  /** Resolves with the migration of a newer program, once the database went through one. */
  outdated: Promise<string>;
  /** What is done each minute, at once. @throws whatever the database throws */
  beat: () => Promise<void>;
  stop: () => void;
}

/**
 * Looks after the schema and the clock each second. Each minute it stores that this server is there, compares its settings with those of the
 * others, and sets the board's day right. The first time is the caller's.
 */
export function keepPulse(ctx: Context, everyMs = EVERY_MS): Pulse {
  const beat = async (): Promise<void> => {
    await ctx.peers.announce();
    await ctx.writes.transaction((tx) => ctx.heartbeats.beat(tx, ctx.now()));
    await correctBoardDate(ctx);
  };
  const { promise: outdated, resolve: becomeOutdated } = Promise.withResolvers<string>();
  let last_ms = performance.now();
  let isBusy = false;
  const look = async (): Promise<void> => {
    const newer = await newerMigration(ctx.db);
    if (newer !== null) return becomeOutdated(newer);
    await ctx.clock.check();
    if (performance.now() - last_ms < BEAT_EVERY_MS) return;
    last_ms = performance.now();
    await beat();
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    look()
      .catch((error: unknown) => {
        // That the database is away has been said.
        if (!(error instanceof DatabaseAway))
          ctx.log.warn({ err: error }, 'the schema, the clock or the other servers could not be looked after');
      })
      .finally(() => {
        isBusy = false;
      });
  }, everyMs);
  timer.unref();
  return { outdated, beat, stop: () => clearInterval(timer) };
}
