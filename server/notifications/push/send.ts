import type { PushPreferences } from '../../../shared/schemas/push.ts';
import { serverSaveClock } from '../../board/config/clock.ts';
import type { Db } from '../../db/open.ts';
import { addMissingJob } from '../../jobs/add.ts';
import type { Job, JobContext, OutsideKind, Settle } from '../../jobs/kind.ts';
import type { Verdict } from '../channels/read-answer.ts';
import { deliver } from './deliver.ts';
import type { Notice } from './notice.ts';
import { preferencesOf } from './preferences.ts';
import { PUSH_JOB } from './push-job.ts';
import { findSubscription, type StoredSubscription, serviceOf } from './queries.ts';
import { afterMiss, forgetSubscription, noteMiss, noteReached, restOf } from './reached.ts';
import { earliestFor } from './store.ts';
import { wordedFor } from './words.ts';

/** How many of them go to one push service at once: one that hangs leaves the others their places. */
export const A_SHARE = 10;

/** Past every time. */
const NEVER = '9';

type Due = Pick<Job<Notice>, 'key' | 'payload'>;

/** Sends what was noted for one browser, if its member still wants it, may have it, and it is still so. */
export const sendPush: OutsideKind<Notice> = {
  ...PUSH_JOB,
  runs: 'outside',
  notifies: true,
  at_once: 30,
  a_share: A_SHARE,
  within_s: 60,
  finishes: true,
  unseen: true,
  run: async (ctx, job, { signal }) => {
    const told = job.payload;
    const to = await findSubscription(ctx.db, Number.parseInt(job.key, 10));
    if (!to) return undefined;
    if (to.expires_at !== null && to.expires_at <= ctx.now().toISOString()) {
      await forgetSubscription(ctx, to.id);
      return undefined;
    }
    const wanted = (await preferencesOf(ctx.env, ctx.db, [to.character_key]))(to.character_key);
    const at = restsUntil(ctx.now(), to, wanted, told);
    if (at !== null) return later(ctx, to, job, at);
    const by_now = await asItIsNow(ctx.db, told);
    if (!by_now) return undefined;
    const payload = await wordedFor({ ...to, ...wanted, clock: serverSaveClock(ctx), now: ctx.now() }, by_now);
    const ttl_s = Math.ceil((Date.parse(told.until) - ctx.now().getTime()) / 1_000);
    const is_urgent = told.kind === 'hold_offered' || told.kind === 'confirm_now';
    const verdict = await deliver(ctx, to, payload, { ttl_s, is_urgent, signal });
    // What was not sent because the server stops is sent by the next one.
    if (verdict.of !== 'delivered') signal.throwIfAborted();
    return settled(ctx, to, verdict, job);
  },
};

/** What could be sent when it was noted may have to wait, or is no longer wanted. @returns null: it can be sent now */
function restsUntil(now: Date, to: StoredSubscription, wanted: PushPreferences, told: Notice): string | typeof NEVER | null {
  const at = earliestFor(told, wanted, now)?.toISOString();
  if (at === undefined) return NEVER;
  const rests_until = restOf(to, now);
  const latest = rests_until !== null && rests_until > at ? rests_until : at;
  return latest > now.toISOString() ? latest : null;
}

/** What is so no more is not told, and a hunt that an admin moved to another spot is told there. @returns null: not at all */
async function asItIsNow(db: Db, told: Notice): Promise<Notice | null> {
  if (told.kind === 'claim_changed') return told;
  if (told.kind === 'hold_offered') {
    const wait = await db.selectFrom('waits').select('status').where('id', '=', told.wait_id).executeTakeFirst();
    return wait?.status === 'offered' ? told : null;
  }
  const part = await db
    .selectFrom('claim_parts')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['hour_start', 'hour_end', 'to_confirm', 'respawns.name as respawn_name'])
    .where('claim_id', '=', told.claim_id)
    .where('part_number', '=', told.part_number)
    .executeTakeFirst();
  if (part?.hour_start !== told.hour_start || (told.kind === 'confirm_now' && part.to_confirm !== 1)) return null;
  return { ...told, hour_end: part.hour_end, respawn_name: part.respawn_name };
}

/** Stored anew in the transaction in which the job goes, unless something newer about the same is there by then. */
function later({ metrics }: Pick<JobContext, 'metrics'>, to: StoredSubscription, { key, payload }: Due, at: string): Settle | undefined {
  if (at >= payload.until) {
    if (at !== NEVER) metrics.deliveries.inc({ kind: 'push', outcome: 'given_up' });
    return undefined;
  }
  const due_at = new Date(at);
  const again = { key, due_at, payload, via: serviceOf(to) };
  return (tx, changes) => addMissingJob(tx, changes, PUSH_JOB, again);
}

async function settled(ctx: JobContext, to: StoredSubscription, verdict: Verdict, job: Due): Promise<Settle | undefined> {
  const count = (outcome: 'delivered' | 'failed' | 'switched_off') => ctx.metrics.deliveries.inc({ kind: 'push', outcome });
  if (verdict.of === 'delivered') {
    count('delivered');
    return to.failures > 0 ? (tx) => noteReached(tx, to.id) : undefined;
  }
  const missed = verdict.of === 'off' ? null : afterMiss(to, verdict, ctx.now());
  if (!missed) {
    count('switched_off');
    await forgetSubscription(ctx, to.id);
    return undefined;
  }
  count('failed');
  const again = later(ctx, to, job, missed.rests_until);
  return async (tx, changes) => {
    await noteMiss(tx, to.id, missed);
    await again?.(tx, changes);
  };
}
