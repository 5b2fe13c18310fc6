import { z } from 'zod';
import { addDays, instantOf } from '../../../shared/rules/server-save.ts';
import {
  formerMembers,
  replacedKeys,
  returnedMembers,
  retypedByType,
} from '../../auth/changed-members.ts';
import { serverSaveClock, serverSaveToday } from '../../db/clock/server-save-clock.ts';
import type { Unit, WriteHook } from '../../db/unit-of-work.ts';
import type { InsideKind } from '../../jobs/job-kind.ts';
import { addJob } from '../../jobs/job-store.ts';
import { changedSpots } from '../changed-spots.ts';
import {
  endStandingClaims,
  endStandingOfBanned,
  resumeStandingClaims,
  standingByLastDate,
  standingEndedByBans,
  standingOutOfStep,
} from './end-standing.ts';
import {
  activeStanding,
  changeStandingType,
  dueDates,
  lastDateMade,
  makeClaims,
  moveNextDates,
  showStandingClaims,
} from './occurrences.ts';
import { selectCurrent } from './records.ts';

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
 * Makes the claims of each server save, and ends standing claims whose last date has passed. After downtime it makes those that were
 * missed and still lie ahead.
 */
export const makeStandingClaims: InsideKind<null> = {
  kind: MAKE,
  runs: 'inside',
  payload: z.null(),
  next: (ctx) => instantOf(addDays(serverSaveToday(ctx), 1), 0, serverSaveClock(ctx)),
  isNeeded: async (ctx) => {
    if ((await lastDateMade(ctx, ctx.db)) !== null && (await activeStanding(ctx.db)).length > 0)
      return true;
    const { over, early } = await standingByLastDate(ctx.db, serverSaveToday(ctx));
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
    const { over, early } = await standingByLastDate(tx, today);
    await endStandingClaims(unit, { standingClaims: over, reason: 'over' });
    await resumeStandingClaims(unit, early);
    const standingClaims = await activeStanding(tx);
    const due = await dueDates(ctx, tx, { standingClaims });
    const batch = due.slice(0, TRIES_A_WRITE);
    await makeClaims(unit, batch);
    const isLast = batch.length === due.length;
    const tried = new Set(batch.map(({ standing }) => standing.id));
    const before = new Map(standingClaims.map(({ id, next_date }) => [id, next_date]));
    const moved = await moveNextDates(
      unit,
      isLast ? standingClaims : standingClaims.filter(({ id }) => tried.has(id)),
    );
    await showStandingClaims(
      unit,
      moved.filter(({ id, next_date }) => tried.has(id) || next_date !== before.get(id)),
    );
    if (!isLast) return 'more';
    // A server save during the run has claims of its own, and the next regular run is a day later.
    return serverSaveToday(ctx) === today ? undefined : 'more';
  },
};

/**
 * Ends and resumes standing claims with what they depend on, in the write that changes it, be it a call, an import or an undo: they
 * end with their key, their spot, or a ban, and resume when the deletion or the bulk action is undone. Those whose key or spot was
 * enabled make their due claims at once. They follow a key that is replaced for the same owner or gets another member type.
 */
export const followKeysAndSpots: WriteHook = {
  after: async (unit) => {
    const { ctx, tx, changes } = unit;
    for (const [old, access_key_id] of changes.collect(replacedKeys))
      await tx
        .updateTable('standing_claims')
        .set({ access_key_id })
        .where('access_key_id', '=', old)
        .execute();
    for (const retyped of retypedByType(unit)) await changeStandingType(unit, retyped);
    const former = changes.collect(formerMembers);
    const returned = changes.collect(returnedMembers);
    const spots = changes.collect(changedSpots);
    if (former.size + returned.size + spots.size === 0) return;
    await endStandingOfBanned(unit, former.keys());
    await resumeStandingClaims(unit, await standingEndedByBans(tx, returned));
    const { withoutKey, withoutSpot, restored } = await standingOutOfStep(tx);
    await endStandingClaims(unit, { standingClaims: withoutKey, reason: 'key' });
    await endStandingClaims(unit, { standingClaims: withoutSpot, reason: 'spot' });
    await resumeStandingClaims(unit, restored);
    const concerned = (await selectCurrent(tx).execute()).filter(
      ({ respawn_id, character_key }) =>
        spots.has(respawn_id) || former.has(character_key) || returned.has(character_key),
    );
    // They may be stopped now, or go on.
    await showStandingClaims(unit, await moveNextDates(unit, concerned));
    const ids = new Set(concerned.map(({ id }) => id));
    const active = (await activeStanding(tx)).filter(({ id }) => ids.has(id));
    if (active.length > 0 && (await dueDates(ctx, tx, { standingClaims: active })).length > 0)
      await makeSoon(unit);
  },
};

/** Makes due claims at once: the settings allow claims that they did not allow before. */
export const makeSoon = (unit: Unit): Promise<void> =>
  addJob(unit, { kind: MAKE }, { key: '', payload: null, due_at: unit.ctx.now() });
