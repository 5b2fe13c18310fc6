import { quietUntil } from '../../shared/rules/quiet-hours.ts';
import type { PushPreferences } from '../../shared/schemas/push.ts';
import { inBatches } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { addJobs } from '../jobs/add.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { gathered, type Notice, type NoticeOf, notice, thingOf } from './notice.ts';
import { preferencesOf } from './preferences.ts';
import { PUSH_JOB } from './push-job.ts';
import { subscriptionsOf } from './queries.ts';

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
    return theirs.map(({ id }) => ({ key: `${id} ${thingOf(payload)}`, due_at, payload }));
  });
  for (const some of inBatches(sends, KEYS_A_STATEMENT)) await addJobs(tx, changes, PUSH_JOB, await withWhatWaits(tx, some));
}

interface Send {
  key: string;
  due_at: Date;
  payload: Notice;
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

/** Changes that wait to be told are told together with those that came, and no later for them. */
async function withWhatWaits(tx: Tx, sends: readonly Send[]): Promise<Send[]> {
  const latest = new Map<string, Send>();
  for (const send of sends) latest.set(send.key, togetherWith(latest.get(send.key), send));
  const keys = [...latest.values()].filter(({ payload }) => payload.kind === 'claim_changed').map(({ key }) => key);
  if (keys.length === 0) return [...latest.values()];
  const waiting = await tx
    .selectFrom('jobs')
    .select(['key', 'due_at', 'payload'])
    .where('kind', '=', PUSH_JOB.kind)
    .where('key', 'in', keys)
    .where('given_up_at', 'is', null)
    .execute();
  for (const { key, due_at, payload } of waiting) {
    const send = latest.get(key);
    if (send) latest.set(key, togetherWith({ key, due_at: new Date(due_at), payload: notice.parse(JSON.parse(payload)) }, send));
  }
  return [...latest.values()];
}

function togetherWith(earlier: Send | undefined, later: Send): Send {
  if (earlier?.payload.kind !== 'claim_changed' || later.payload.kind !== 'claim_changed') return later;
  const both: NoticeOf<'claim_changed'> = gathered(earlier.payload, later.payload);
  return { key: later.key, payload: both, due_at: new Date(Math.min(earlier.due_at.getTime(), later.due_at.getTime())) };
}
