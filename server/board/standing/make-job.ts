import { z } from 'zod';
import { addDays, instantOf } from '../../../shared/rules/server-save.ts';
import { formerMembers, returnedMembers } from '../../auth/former-members.ts';
import { serverSaveClock, serverSaveToday } from '../../db/clock/server-save-clock.ts';
import type { Unit, WriteHook } from '../../db/unit-of-work.ts';
import type { InsideKind } from '../../jobs/job-kind.ts';
import { addJob } from '../../jobs/job-store.ts';
import { changedSpots } from '../changed-spots.ts';
import {
  endRules,
  endRulesOfBanned,
  resumeRules,
  rulesByLastDate,
  rulesEndedByBans,
  rulesOutOfStep,
} from './end-rules.ts';
import {
  activeRules,
  currentRules,
  dueDates,
  lastDateMade,
  makeClaims,
  moveNextDates,
  showRules,
} from './occurrences.ts';

const MAKE = 'standing.make';
/** Claims that one write makes at most, so that it doesn't delay other writes. */
const TRIES_A_WRITE = 20;

/**
 * From when on the day may be trusted: claims of a day that a wrong clock began would be made too early, and never again.
 * An hour after a clock jump or the server's absence, as with everything that can't be taken back.
 */
async function trustedFrom({ ctx, tx }: Unit): Promise<Date> {
  const { trustsDay } = await ctx.heartbeats.uptime(tx);
  return trustsDay(instantOf(serverSaveToday(ctx), 0, serverSaveClock(ctx)));
}

/**
 * Makes the claims of rules at each server save, and ends rules whose last date has passed. After downtime it makes those that were
 * missed and still lie ahead.
 */
export const makeStandingClaims: InsideKind<null> = {
  kind: MAKE,
  runs: 'inside',
  payload: z.null(),
  next: (ctx) => instantOf(addDays(serverSaveToday(ctx), 1), 0, serverSaveClock(ctx)),
  isNeeded: async (ctx) => {
    if ((await lastDateMade(ctx, ctx.db)) !== null && (await activeRules(ctx.db)).length > 0)
      return true;
    const { over, early } = await rulesByLastDate(ctx.db, serverSaveToday(ctx));
    return over.length + early.length > 0;
  },
  run: async (unit) => {
    const { ctx, tx } = unit;
    const today = serverSaveToday(ctx);
    const trusted = await trustedFrom(unit);
    if (trusted > ctx.now()) {
      await addJob(unit, { kind: MAKE }, { key: '', payload: null, due_at: trusted });
      return undefined;
    }
    const { over, early } = await rulesByLastDate(tx, today);
    await endRules(unit, { rules: over, reason: 'over' });
    await resumeRules(unit, early);
    const rules = await activeRules(tx);
    const due = await dueDates(ctx, tx, { rules });
    const batch = due.slice(0, TRIES_A_WRITE);
    await makeClaims(unit, batch);
    const isLast = batch.length === due.length;
    const tried = new Set(batch.map(({ rule }) => rule.id));
    const before = new Map(rules.map(({ id, next_date }) => [id, next_date]));
    const moved = await moveNextDates(
      unit,
      isLast ? rules : rules.filter(({ id }) => tried.has(id)),
    );
    await showRules(
      unit,
      moved.filter(({ id, next_date }) => tried.has(id) || next_date !== before.get(id)),
    );
    if (!isLast) return 'more';
    // A server save during the run has claims of its own, and the next regular run is a day later.
    return serverSaveToday(ctx) === today ? undefined : 'more';
  },
};

/**
 * Ends and resumes rules with what they depend on, in the write that changes it, be it a call, an import or an undo: rules end with
 * their key, their spot, or a ban, and resume when the deletion or the bulk action is undone. Those whose key was enabled or whose spot
 * was makes their due claims at once.
 */
export const followKeysAndSpots: WriteHook = {
  after: async (unit) => {
    const { ctx, tx, changes } = unit;
    const former = changes.collect(formerMembers);
    const returned = changes.collect(returnedMembers);
    const spots = changes.collect(changedSpots);
    if (former.size + returned.size + spots.size === 0) return;
    await endRulesOfBanned(unit, former.keys());
    await resumeRules(unit, await rulesEndedByBans(tx, returned));
    const { withoutKey, withoutSpot, restored } = await rulesOutOfStep(tx);
    await endRules(unit, { rules: withoutKey, reason: 'key' });
    await endRules(unit, { rules: withoutSpot, reason: 'spot' });
    await resumeRules(unit, restored);
    const concerned = (await currentRules(tx)).filter(
      ({ respawn_id, character_key }) =>
        spots.has(respawn_id) || former.has(character_key) || returned.has(character_key),
    );
    // They may be stopped now, or go on.
    await showRules(unit, await moveNextDates(unit, concerned));
    const ids = new Set(concerned.map(({ id }) => id));
    const active = (await activeRules(tx)).filter(({ id }) => ids.has(id));
    if (active.length > 0 && (await dueDates(ctx, tx, { rules: active })).length > 0)
      await makeSoon(unit);
  },
};

/** Makes due claims at once: the settings allow claims that they did not allow before. */
export const makeSoon = (unit: Unit): Promise<void> =>
  addJob(unit, { kind: MAKE }, { key: '', payload: null, due_at: unit.ctx.now() });
