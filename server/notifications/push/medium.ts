import { sql } from 'kysely';
import { DomainError } from '../../../shared/errors.ts';
import type { PushTestAnswer } from '../../../shared/schemas/push.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Member } from '../../http/caller.ts';
import { backoffEnd, type Medium, type Recipient } from '../notices/medium.ts';
import { notice } from '../notices/notice.ts';
import { payloadOf, testPayload } from '../notices/notice-text.ts';
import { admitTest } from '../notices/send.ts';
import type { Sending } from '../outbound/post.ts';
import {
  afterFailure,
  deleteSubscription,
  findSubscription,
  type StoredSubscription,
  serviceOf,
  storeFailure,
  storeSuccess,
  subscriptionsOf,
} from './subscriptions.ts';
import { deliver } from './web-push.ts';

/** Notifications on their way to one push service, so that a slow one leaves room for the others. */
export const MAX_PER_SERVICE = 10;

type Browser = StoredSubscription & Recipient;

const browser = (to: StoredSubscription): Browser => ({ ...to, receiver: serviceOf(to) });

/** A member's browsers. */
export const pushMedium: Medium<Browser> = {
  name: 'push',
  job: { kind: 'push.send', payload: notice },
  limits: { max_running: 30, max_running_per_receiver: MAX_PER_SERVICE },
  choices: (preferences) => preferences,
  characterKeys: (after) =>
    sql`select character_key from push_subscriptions where character_key > ${after}`,
  recipientsOf: async (db, character_keys) =>
    (await subscriptionsOf(db, character_keys)).map(browser),
  find: async (ctx, id) => {
    const to = await findSubscription(ctx.db, id);
    if (!to) return null;
    if (to.expires_at === null || to.expires_at > ctx.now().toISOString()) return browser(to);
    await deleteSubscription(ctx, id);
    return null;
  },
  pausedUntil: backoffEnd,
  deliver: async (ctx, { to, job, current, wanted, signal }) => {
    const now = ctx.now();
    const payload = payloadOf({ ...to, ...wanted, clock: serverSaveClock(ctx), now }, current);
    const ttl_s = Math.ceil((Date.parse(job.payload.until) - now.getTime()) / 1_000);
    const is_urgent = current.kind === 'hold_offered' || current.kind === 'confirm_now';
    const verdict = await deliver(ctx, { to, payload, ttl_s, is_urgent, signal });
    if (verdict.type === 'delivered')
      return {
        outcome: 'delivered',
        store: to.failures > 0 ? ({ tx }) => storeSuccess(tx, to.id) : undefined,
      };
    signal.throwIfAborted();
    if (verdict.type === 'never') return { outcome: 'failed' };
    const failure = verdict.type === 'off' ? null : afterFailure(to, verdict, ctx.now());
    if (failure)
      return {
        outcome: 'failed',
        retry: { at: failure.backoff_until, payload: job.payload },
        store: ({ tx }) => storeFailure(tx, to.id, failure),
      };
    await deleteSubscription(ctx, to.id);
    return { outcome: 'switched_off' };
  },
};

const TEST_TTL_S = 60;

/**
 * Sends a test at once, regardless of preferences, to one of the member's browsers or to all.
 * @throws DomainError push.notFound without a browser, notifications.paused, request.tooManyTries
 */
export async function sendTest(
  ctx: Sending,
  { character_key, character_name }: Member,
  endpoint: string | null,
): Promise<PushTestAnswer> {
  const all = await subscriptionsOf(ctx.db, [character_key]);
  const targets = endpoint === null ? all : all.filter((each) => each.endpoint === endpoint);
  if (targets.length === 0) throw new DomainError('push.notFound');
  await admitTest(ctx, character_key);
  const verdicts = await Promise.all(
    targets.map(async (to) => {
      const payload = testPayload(to, character_name);
      const verdict = await deliver(ctx, { to, payload, ttl_s: TEST_TTL_S, is_urgent: true });
      if (verdict.type === 'off') await deleteSubscription(ctx, to.id);
      // Ends the back-off.
      if (verdict.type === 'delivered' && to.failures > 0)
        await ctx.writes.transaction((tx) => storeSuccess(tx, to.id));
      return verdict.type;
    }),
  );
  const sent = verdicts.filter((of) => of === 'delivered').length;
  return { sent, failed: verdicts.length - sent };
}
