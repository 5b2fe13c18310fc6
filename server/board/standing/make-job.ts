import { z } from 'zod';
import { addDays, instantOf } from '../../../shared/rules/server-save.ts';
import { serverSaveClock, serverSaveToday } from '../../db/clock/server-save-clock.ts';
import type { Clock, Tx } from '../../db/database.ts';
import type { ChangeRecorder, WriteHook } from '../../db/unit-of-work.ts';
import type { Settings } from '../../env.ts';
import type { InsideKind, JobContext } from '../../jobs/job-kind.ts';
import { addJob } from '../../jobs/job-store.ts';
import { affectedWaitlists } from '../affected-waitlists.ts';
import { activeRules, dueDates, lastDateMade, type Making, makeClaims, moveNextDates, showRules } from './occurrences.ts';

const MAKE = 'standing.make';
/** Claims that one write makes at most, so that it doesn't delay other writes. */
const TRIES_A_WRITE = 20;
/** Outcomes of older dates are deleted. */
const OUTCOME_DAYS = 366;

/** Makes the claims of rules at each server save. After downtime it makes those that were missed and still lie ahead. */
export const makeStandingClaims: InsideKind<null, JobContext & Making> = {
  kind: MAKE,
  runs: 'inside',
  payload: z.null(),
  next: (ctx) => instantOf(addDays(serverSaveToday(ctx), 1), 0, serverSaveClock(ctx)),
  isNeeded: async (ctx) => (await lastDateMade(ctx, ctx.db)) !== null && (await activeRules(ctx.db)).length > 0,
  run: async (ctx, tx, changes) => {
    const today = serverSaveToday(ctx);
    const rules = await activeRules(tx);
    const due = await dueDates(ctx, tx, rules);
    const batch = due.slice(0, TRIES_A_WRITE);
    await makeClaims(ctx, tx, changes, batch);
    const isLast = batch.length === due.length;
    const tried = new Set(batch.map(({ rule }) => rule.id));
    const before = new Map(rules.map(({ id, next_date }) => [id, next_date]));
    const moved = await moveNextDates(ctx, tx, isLast ? rules : rules.filter(({ id }) => tried.has(id)));
    await showRules(
      tx,
      changes,
      moved.filter(({ id, next_date }) => tried.has(id) || next_date !== before.get(id)),
    );
    if (!isLast) return 'more';
    const old = addDays(today, -OUTCOME_DAYS);
    await tx.deleteFrom('standing_occurrences').where('date', '<', old).execute();
    // A server save during the run has claims of its own, and the next regular run is a day later.
    return serverSaveToday(ctx) === today ? undefined : 'more';
  },
};

/**
 * Makes due claims at once when their spots are enabled by the form, a bulk action, an import or an undo. Above the
 * spots that a write tracks, they wait for the next server save.
 */
export const makeAtEnabledSpots = (ctx: Clock & Settings): WriteHook => ({
  after: async ({ tx, changes }) => {
    const { spots } = changes.collect(affectedWaitlists).copy();
    if (spots.size === 0) return;
    const rules = (await activeRules(tx)).filter(({ respawn_id }) => spots.has(respawn_id));
    if (rules.length > 0 && (await dueDates(ctx, tx, rules)).length > 0) await makeSoon(ctx, tx, changes);
  },
});

/** Makes due claims at once: the settings allow claims that they did not allow before. */
export const makeSoon = ({ now }: Clock, tx: Tx, changes: ChangeRecorder): Promise<void> =>
  addJob(tx, changes, { kind: MAKE }, { key: '', payload: null, due_at: now() });
