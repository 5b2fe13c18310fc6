import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import type { Verdict } from '../channels/read-answer.ts';
import type { StoredSubscription } from './queries.ts';
import { lockClock } from './subscriptions.ts';

/** How long a browser is left alone after each notice in a row that did not reach it, in seconds; then always for the last. */
const RESTS_S = [60, 300, 900, 3_600, 21_600] as const;
/** Notices in a row that did not reach it, after which one is forgotten of which its service says that we may not, or cannot. */
const MOST_REFUSALS = 10;

type Miss = Pick<StoredSubscription, 'failures'> & { rests_until: string };

/** What becomes of a browser that a notice did not reach. @returns null: it is forgotten */
export function afterMiss({ failures }: StoredSubscription, { error, after_s }: Extract<Verdict, { of: 'again' }>, now: Date): Miss | null {
  // 408 and 429 ask for time.
  if (failures + 1 >= MOST_REFUSALS && /^HTTP 4(?!08|29)/.test(error)) return null;
  const rest_s = Math.max(after_s ?? 0, RESTS_S[Math.min(failures, RESTS_S.length - 1)] ?? 0);
  return { failures: failures + 1, rests_until: new Date(now.getTime() + rest_s * 1_000).toISOString() };
}

/** Until when a browser is left alone; null: it is not, or a clock that has leapt since said so. */
export function restOf({ rests_until }: Pick<StoredSubscription, 'rests_until'>, now: Date): string | null {
  const longest = new Date(now.getTime() + Math.max(...RESTS_S) * 1_000).toISOString();
  return rests_until !== null && rests_until <= longest ? rests_until : null;
}

export async function noteMiss(tx: Tx, id: number, missed: Miss): Promise<void> {
  await tx.updateTable('push_subscriptions').set(missed).where('id', '=', id).execute();
}

export async function noteReached(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('push_subscriptions').set({ failures: 0, rests_until: null }).where('id', '=', id).execute();
}

/** What waits for it finds that it is gone. */
export async function forgetSubscription({ writes, outbox }: Pick<Writing, 'writes' | 'outbox'>, id: number): Promise<void> {
  await writes.transaction(async (tx) => {
    await lockClock(tx);
    await tx.deleteFrom('push_subscriptions').where('id', '=', id).execute();
    await outbox.updateSubscribedTypes(tx);
  });
}
