import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { PushPreferences, PushTestAnswer } from '../../../shared/schemas/push.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Db, Tx } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import type { Member } from '../../http/caller.ts';
import { createTries } from '../../http/rate-limits.ts';
import type { Job, OutsideKind, StoreOutcome } from '../../jobs/job-kind.ts';
import { addMissingJob, notificationsPausedAt } from '../../jobs/job-store.ts';
import type { SenderContext, Verdict } from '../outbound/post.ts';
import { type Notice, PUSH_JOB } from './notice.ts';
import { payloadOf, testPayload } from './notice-text.ts';
import { preferencesOf } from './preferences.ts';
import { earliestTime } from './schedule.ts';
import {
  afterFailure,
  backoffEnd,
  deleteSubscription,
  findSubscription,
  type StoredSubscription,
  serviceOf,
  storeFailure,
  storeSuccess,
  subscriptionsOf,
} from './subscriptions.ts';
import { type Delivering, deliver } from './web-push.ts';

/** Notifications on their way to one push service, so that a slow one leaves room for the others. */
export const MAX_PER_SERVICE = 10;

/** Later than any ISO time. */
const NEVER = '9';

type Due = Pick<Job<Notice>, 'key' | 'payload'>;

/** Sends one browser a notice, if it still holds and the member still wants it. */
export const sendPush: OutsideKind<Notice, SenderContext & Delivering> = {
  ...PUSH_JOB,
  runs: 'outside',
  notifies: true,
  max_running: 30,
  max_running_per_receiver: MAX_PER_SERVICE,
  timeout_s: 60,
  finishes: true,
  unseen: true,
  run: async (ctx, job, { signal }) => {
    const notice = job.payload;
    const to = await findSubscription(ctx.db, Number.parseInt(job.key, 10));
    if (!to) return undefined;
    if (to.expires_at !== null && to.expires_at <= ctx.now().toISOString()) {
      await deleteSubscription(ctx, to.id);
      return undefined;
    }
    const wanted = (await preferencesOf(ctx.env, ctx.db, [to.character_key]))(to.character_key);
    const at = postponedTo(ctx.now(), to, wanted, notice);
    if (at !== null) return postpone(ctx, to, job, at);
    const current = await refresh(ctx.db, notice);
    if (!current) return undefined;
    const payload = payloadOf(
      { ...to, ...wanted, clock: serverSaveClock(ctx), now: ctx.now() },
      current,
    );
    const ttl_s = Math.ceil((Date.parse(notice.until) - ctx.now().getTime()) / 1_000);
    const is_urgent = notice.kind === 'hold_offered' || notice.kind === 'confirm_now';
    const verdict = await deliver(ctx, to, payload, { ttl_s, is_urgent, signal });
    // This server stops: the next one sends it.
    if (verdict.of !== 'delivered') signal.throwIfAborted();
    return outcomeOf(ctx, to, verdict, job);
  },
};

/** Preferences and the back-off may have changed since the notice was stored. @returns null: send it now */
function postponedTo(
  now: Date,
  to: StoredSubscription,
  wanted: PushPreferences,
  notice: Notice,
): string | null {
  const at = earliestTime(notice, wanted, now)?.toISOString();
  if (at === undefined) return NEVER;
  const backoff = backoffEnd(to, now);
  const latest = backoff !== null && backoff > at ? backoff : at;
  return latest > now.toISOString() ? latest : null;
}

/** The notice as of now: the claim may have moved to another spot, date or member. @returns null: it no longer holds */
export async function refresh(db: Db | Tx, notice: Notice): Promise<Notice | null> {
  if (notice.kind === 'claim_changed' || notice.kind === 'transfer_ended') return notice;
  if (notice.kind === 'transfer_offered') {
    const open = db
      .selectFrom('transfers')
      .select('id')
      .where('id', '=', notice.transfer_id)
      .where('ended_at', 'is', null);
    return (await open.executeTakeFirst()) ? notice : null;
  }
  if (notice.kind === 'hold_offered') {
    const { wait_id, claim_id } = notice;
    const entry = await db
      .selectFrom('waits')
      .select(['status', 'held_claim_id', 'held_until'])
      .where('id', '=', wait_id)
      .executeTakeFirst();
    if (entry?.status !== 'offered' || (claim_id !== undefined && entry.held_claim_id !== claim_id))
      return null;
    return { ...notice, until: entry.held_until ?? notice.until };
  }
  const part = await db
    .selectFrom('claim_parts')
    .innerJoin('claims', 'claims.id', 'claim_parts.claim_id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['hour_start', 'hour_end', 'to_confirm', 'respawns.name as respawn_name'])
    .where('claim_id', '=', notice.claim_id)
    .where('character_key', '=', nameKey(notice.character_name))
    // A claim of an event has no date.
    .where(({ or, eb }) => or([eb('date', 'is', null), eb('date', '=', notice.date)]))
    .where('part_number', '=', notice.part_number)
    .executeTakeFirst();
  if (
    part?.hour_start !== notice.hour_start ||
    (notice.kind === 'confirm_now' && part.to_confirm !== 1)
  )
    return null;
  return { ...notice, hour_end: part.hour_end, respawn_name: part.respawn_name };
}

/** Adds the job again in the transaction that ends it, unless a newer one has its key by then. */
function postpone(
  { metrics }: Pick<SenderContext, 'metrics'>,
  to: StoredSubscription,
  { key, payload }: Due,
  at: string,
): StoreOutcome | undefined {
  if (at >= payload.until) {
    if (at !== NEVER) metrics.deliveries.inc({ kind: 'push', outcome: 'given_up' });
    return undefined;
  }
  const again = { key, due_at: new Date(at), payload, receiver: serviceOf(to) };
  return ({ tx, changes }) => addMissingJob({ tx, changes }, PUSH_JOB, again);
}

async function outcomeOf(
  ctx: SenderContext,
  to: StoredSubscription,
  verdict: Verdict,
  job: Due,
): Promise<StoreOutcome | undefined> {
  const count = (outcome: 'delivered' | 'failed' | 'switched_off') =>
    ctx.metrics.deliveries.inc({ kind: 'push', outcome });
  if (verdict.of === 'delivered') {
    count('delivered');
    return to.failures > 0 ? ({ tx }) => storeSuccess(tx, to.id) : undefined;
  }
  if (verdict.of === 'never') {
    count('failed');
    return undefined;
  }
  const failure = verdict.of === 'off' ? null : afterFailure(to, verdict, ctx.now());
  if (!failure) {
    count('switched_off');
    await deleteSubscription(ctx, to.id);
    return undefined;
  }
  count('failed');
  const again = postpone(ctx, to, job, failure.backoff_until);
  return async (unit) => {
    await storeFailure(unit.tx, to.id, failure);
    await again?.(unit);
  };
}

/** Test notifications that a character may send in 5 minutes. */
export const MAX_TESTS = 5;
const TEST_WINDOW_MS = 5 * 60_000;
/** Characters whose tests are counted. */
const MAX_TESTERS = 10_000;
const TEST_TTL_S = 60;

/** Test notifications, by character. */
export const pushTests = defineMemory(() =>
  createTries({ window_ms: TEST_WINDOW_MS, most: MAX_TESTERS }),
);

/**
 * Sends a test at once, regardless of preferences, to one of the member's browsers or to all.
 * @throws DomainError push.notFound without a browser, notifications.paused, request.tooManyTries
 */
export async function sendTest(
  ctx: Delivering,
  { character_key, character_name }: Member,
  endpoint: string | null,
): Promise<PushTestAnswer> {
  const all = (await subscriptionsOf(ctx.db, [character_key])).get(character_key) ?? [];
  const targets = endpoint === null ? all : all.filter((each) => each.endpoint === endpoint);
  if (targets.length === 0) throw new DomainError('push.notFound');
  if (await notificationsPausedAt(ctx.db)) throw new DomainError('notifications.paused');
  pushTests(ctx).admit(character_key, MAX_TESTS);
  const verdicts = await Promise.all(
    targets.map(async (to) => {
      const verdict = await deliver(ctx, to, testPayload(to, character_name), {
        ttl_s: TEST_TTL_S,
        is_urgent: true,
      });
      if (verdict.of === 'off') await deleteSubscription(ctx, to.id);
      // Ends the back-off.
      if (verdict.of === 'delivered' && to.failures > 0)
        await ctx.writes.transaction((tx) => storeSuccess(tx, to.id));
      return verdict.of;
    }),
  );
  const sent = verdicts.filter((of) => of === 'delivered').length;
  return { sent, failed: verdicts.length - sent };
}
