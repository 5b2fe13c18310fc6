import { DomainError } from '../../../shared/errors.ts';
import type { PushTestAnswer } from '../../../shared/schemas/push.ts';
import type { Member } from '../../auth/callers.ts';
import type { Db } from '../../db/open.ts';
import type { Tries } from '../../http/limits/tries.ts';
import type { Writing } from '../../jobs/writing.ts';
import { notificationsPausedAt } from '../outbox/pause.ts';
import { type Delivering, deliver } from './deliver.ts';
import { subscriptionsOf } from './queries.ts';
import { forgetSubscription, noteReached } from './reached.ts';
import { wordedTest } from './words.ts';

/** Tests of a character in `TESTS_WINDOW_MS`; the next is told to wait. */
export const MOST_TESTS = 5;
/** How long a test is worth anything, in seconds. */
const TTL_S = 60;

/**
 * Sends a member a notice at once, whatever they want to be told of and when: to one browser, or to all of the character's.
 * @throws DomainError push.notFound where there is none, notifications.paused, request.tooManyTries
 */
export async function sendTest(
  ctx: Delivering & Pick<Writing, 'writes' | 'outbox'> & { db: Db; pushTests: Tries },
  { character_key, character_name }: Member,
  endpoint: string | null,
): Promise<PushTestAnswer> {
  const all = (await subscriptionsOf(ctx.db, [character_key])).get(character_key) ?? [];
  const asked = endpoint === null ? all : all.filter((each) => each.endpoint === endpoint);
  if (asked.length === 0) throw new DomainError('push.notFound');
  if (await notificationsPausedAt(ctx.db)) throw new DomainError('notifications.paused');
  const { tries, seconds } = ctx.pushTests.count(character_key);
  if (tries > MOST_TESTS) throw new DomainError('request.tooManyTries', { seconds });
  const verdicts = await Promise.all(
    asked.map(async (to) => {
      const verdict = await deliver(ctx, to, await wordedTest(to, character_name), { ttl_s: TTL_S, is_urgent: true });
      if (verdict.of === 'off') await forgetSubscription(ctx, to.id);
      // It is not left alone any longer for what failed before.
      if (verdict.of === 'delivered' && to.failures > 0) await ctx.writes.transaction((tx) => noteReached(tx, to.id));
      return verdict.of;
    }),
  );
  const sent = verdicts.filter((of) => of === 'delivered').length;
  return { sent, failed: verdicts.length - sent };
}
