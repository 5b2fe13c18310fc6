import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Db, Tx } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import { createTries } from '../../http/rate-limits.ts';
import type { OutsideKind, StoreOutcome } from '../../jobs/job-kind.ts';
import { addMissingJob, notificationsPausedAt } from '../../jobs/job-store.ts';
import type { Sending } from '../outbound/post.ts';
import type { Medium, Recipient } from './medium.ts';
import type { Notice } from './notice.ts';
import { preferencesOf } from './preferences.ts';
import { earliestTime } from './schedule.ts';

/** Jobs that call a server outside, of which watchers see nothing. */
export const CALLS_OUTSIDE = {
  runs: 'outside',
  notifies: true,
  timeout_s: 60,
  finishes: true,
  unseen: true,
} as const;

/** The job that sends a recipient of a medium a notice, if it still holds and the member still wants it. */
export const sendBy = <R extends Recipient, P extends Notice>(
  medium: Medium<R, P>,
): OutsideKind<P, Sending> => ({
  ...CALLS_OUTSIDE,
  ...medium.job,
  ...medium.limits,
  run: async (ctx, job, { signal }) => {
    const to = await medium.find(ctx, Number.parseInt(job.key, 10));
    if (!to) return undefined;
    const preferences = await preferencesOf(ctx.env, ctx.db, [to.character_key]);
    const wanted = medium.choices(preferences(to.character_key));
    // Preferences and the back-off may have changed since the notice was stored.
    const earliest = earliestTime(job.payload, wanted, ctx.now())?.toISOString();
    if (earliest === undefined) return undefined;
    const count = (outcome: string) => ctx.metrics.deliveries.inc({ kind: medium.name, outcome });
    /** Adds the job again in the transaction that ends it, unless a newer one has its key by then. */
    const postpone = (at: string, payload = job.payload): StoreOutcome | undefined => {
      if (at >= payload.until) return void count('given_up');
      const again = { key: job.key, due_at: new Date(at), payload, receiver: to.receiver };
      return (unit) => addMissingJob(unit, medium.job, again);
    };
    const backoff = medium.pausedUntil(to, ctx.now());
    const at = backoff !== null && backoff > earliest ? backoff : earliest;
    if (at > ctx.now().toISOString()) return postpone(at);
    const current = await refresh(ctx.db, job.payload);
    if (!current) return undefined;
    const letter = { to, job, current, wanted, signal };
    const { outcome, retry, store } = await medium.deliver(ctx, letter);
    count(outcome);
    const again = retry && postpone(retry.at, retry.payload);
    return async (unit) => {
      await store?.(unit);
      await again?.(unit);
    };
  },
});

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

/** Test notifications that a character may send by one medium in 5 minutes. */
export const MAX_TESTS = 5;
const TEST_WINDOW_MS = 5 * 60_000;
/** Characters whose tests are counted. */
const MAX_TESTERS = 10_000;

const tests = defineMemory(() => createTries({ window_ms: TEST_WINDOW_MS, most: MAX_TESTERS }));

/**
 * Admits a test notification, which is sent at once, regardless of preferences.
 * @param sender the character, by medium
 * @returns how many were sent
 * @throws DomainError notifications.paused, request.tooManyTries
 */
export async function admitTest(ctx: Sending, sender: string): Promise<number> {
  if (await notificationsPausedAt(ctx.db)) throw new DomainError('notifications.paused');
  return tests(ctx).admit(sender, MAX_TESTS);
}
