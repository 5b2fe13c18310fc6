import { quietUntil } from '../../../shared/rules/quiet-hours.ts';
import type { PushPreferences } from '../../../shared/schemas/push.ts';
import { inBatches } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { addJobs, type NewJob, removeJob } from '../../jobs/add.ts';
import type { Writing } from '../../jobs/writing.ts';
import { gathered, type Notice, notice, thingOf } from './notice.ts';
import { preferencesOf } from './preferences.ts';
import { PUSH_JOB } from './push-job.ts';
import { serviceOf, subscriptionsOf } from './queries.ts';

/** How long changes of one member's claims are gathered, in milliseconds: a burst is one notice. */
export const GATHERED_MS = 3_000;
/** Keys of jobs that a statement names at most. */
const KEYS_A_STATEMENT = 500;

export interface ToldOf {
  character_key: string;
  /** What to tell those who want to be told of it; null: nothing. */
  notice: (preferences: PushPreferences) => Notice | null;
}

/**
 * Notes, in the write that brought it about, what members are to be told, for each of their browsers. Who has none, or wants to
 * know nothing of it, costs nothing more.
 */
export async function storeNotices(ctx: Writing, tx: Tx, changes: ChangeRecorder, told: readonly ToldOf[]): Promise<void> {
  const browsers = await subscriptionsOf(
    tx,
    told.map(({ character_key }) => character_key),
  );
  if (browsers.size === 0) return;
  const preferences = await preferencesOf(ctx.env, tx, [...browsers.keys()]);
  const sends = told.flatMap(({ character_key, notice }) => {
    const theirs = browsers.get(character_key) ?? [];
    const wanted = preferences(character_key);
    const payload = theirs.length > 0 ? notice(wanted) : null;
    const at = payload && earliestFor(payload, wanted, ctx.now());
    if (!at) return [];
    const due_at = payload.kind === 'claim_changed' ? new Date(at.getTime() + GATHERED_MS) : at;
    return theirs.map((to) => ({ key: `${to.id} ${thingOf(payload)}`, due_at, payload, via: serviceOf(to) }));
  });
  for (const some of inBatches(sends, KEYS_A_STATEMENT)) {
    const { stored, gone } = await withWhatWaits(tx, some);
    await addJobs(tx, changes, PUSH_JOB, stored);
    for (const key of gone) await removeJob(tx, PUSH_JOB, key);
  }
}

interface Send extends NewJob<Notice> {
  /** It is being sent just now. */
  is_on_its_way?: boolean;
}

/**
 * From when on something may be sent: quiet hours delay it, yet an offer is skipped, and so is whatever nobody wants to know any
 * more by then. @returns null: never
 */
export function earliestFor(told: Notice, wanted: PushPreferences, now: Date): Date | null {
  if (!wanted[told.kind]) return null;
  const quiet = quietUntil(now, wanted);
  if (quiet && told.kind === 'hold_offered') return null;
  const at = quiet ?? now;
  return at.toISOString() < told.until ? at : null;
}

/**
 * Changes that wait to be told are told together with those that came, and no later for them.
 * @returns what is to be stored, and the keys of what was taken back before it was told
 */
async function withWhatWaits(tx: Tx, sends: readonly Send[]): Promise<{ stored: Send[]; gone: string[] }> {
  const keys = [...new Set(sends.filter(({ payload }) => payload.kind === 'claim_changed').map(({ key }) => key))];
  const latest = await waitingUnder(tx, keys);
  const before = new Set(latest.keys());
  for (const send of sends) {
    const one = togetherWith(latest.get(send.key), send);
    if (one) latest.set(send.key, one);
    else latest.delete(send.key);
  }
  return { stored: [...latest.values()], gone: [...before].filter((key) => !latest.has(key)) };
}

async function waitingUnder(tx: Tx, keys: readonly string[]): Promise<Map<string, Send>> {
  if (keys.length === 0) return new Map();
  const waiting = await tx
    .selectFrom('jobs')
    .select(['key', 'due_at', 'payload', 'leased_until', 'via'])
    .where('kind', '=', PUSH_JOB.kind)
    .where('key', 'in', keys)
    .where('given_up_at', 'is', null)
    .execute();
  return new Map(
    waiting.flatMap(({ key, due_at, payload, leased_until, via }): [string, Send][] => {
      // Another version's, which this one does not understand, must not keep an admin from changing claims.
      const told = notice.safeParse(JSON.parse(payload));
      return told.success ? [[key, { key, due_at: new Date(due_at), payload: told.data, via, is_on_its_way: leased_until !== null }]] : [];
    }),
  );
}

/** @returns null: nothing is left to be told */
function togetherWith(earlier: Send | undefined, later: Send): Send | null {
  if (earlier?.payload.kind !== 'claim_changed' || later.payload.kind !== 'claim_changed') return later;
  const payload = gathered(earlier.payload, later.payload, earlier.is_on_its_way);
  return payload && { ...earlier, payload, due_at: new Date(Math.min(earlier.due_at.getTime(), later.due_at.getTime())) };
}
