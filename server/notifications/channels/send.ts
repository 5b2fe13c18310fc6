import { MAX_DESTINATIONS } from '../../../shared/schemas/destination.ts';
import { logActivity } from '../../auth/activity-log.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { addJob } from '../../jobs/add.ts';
import type { Held, JobContext, OutsideKind } from '../../jobs/kind.ts';
import { forgetPassed } from '../outbox/forget.ts';
import { saidBy, storeTries, type Try } from './deliveries.ts';
import { type Message, nextMessage } from './messages.ts';
import { destinationRecord, destinationTold, findDestination, type StoredDestination } from './queries.ts';
import { readAnswer, type Verdict } from './read-answer.ts';
import { nextTry } from './retries.ts';
import { GATHERED_MS, SEND_JOB } from './send-job.ts';
import { countWaiting, newestNews, oldestWaiting } from './waiting.ts';

/** What one run sends at most, and how long it begins another message, in milliseconds: each run is a write, with a tick of everybody's clock. */
const MESSAGES_A_RUN = 100;
const RUN_MS = 10_000;
/** One that hangs is one message; then what came of the run is written. */
const WITHIN_S = 60;

/** What came of a run. */
interface Run {
  tries: Try[];
  /** How far it came. */
  place: number;
  /** When the last message arrived; null: none did. */
  delivered_at: string | null;
  /** How often the message that is next has failed, and was asked to wait. */
  attempts: number;
  asked_to_wait: number;
  /** How the last one failed; null: none did. */
  failed: { error: string; next_try_at: string | null } | { error: string; switched_off: 'gone' | 'refused' } | null;
}

/**
 * Sends a destination what waits for it, one message after the other, until nothing does, one fails or a while has gone. Whatever
 * server runs it: no other one does meanwhile. What was sent is noted once, at the end, so a server that dies before sends it again;
 * one that stops ends the message on its way and notes it.
 */
export const sendNews: OutsideKind<null> = {
  ...SEND_JOB,
  runs: 'outside',
  notifies: true,
  at_once: MAX_DESTINATIONS,
  within_s: WITHIN_S,
  finishes: true,
  run: async (ctx, { key }, held) => {
    const destination = await findDestination(ctx.db, Number(key));
    if (!destination?.is_enabled) return undefined;
    const run = await sendWaiting(ctx, destination, held);
    return (tx, changes) => settle(ctx, tx, changes, destination, run);
  },
};

async function sendWaiting(ctx: JobContext, destination: StoredDestination, held: Held): Promise<Run> {
  const { place, attempts, asked_to_wait } = destination;
  const run: Run = { tries: [], place, delivered_at: null, attempts, asked_to_wait, failed: null };
  const until = performance.now() + RUN_MS;
  let to: StoredDestination | null = destination;
  while (to && !run.failed && run.tries.length < MESSAGES_A_RUN && performance.now() < until) {
    const message: Message | null = await nextMessage(ctx, to, run.place);
    if (!message) break;
    if (message.letter === null) run.place = message.place;
    // Another server may have taken over while this one was frozen.
    else if (!(await held.mayGoOn())) break;
    else await send(ctx, to, message, message.letter, run, held.signal);
    to = await asItIsNow(ctx, destination);
  }
  return run;
}

/** What an admin changed meanwhile holds for the next message; null: it is none of this run's. */
async function asItIsNow({ db }: Pick<JobContext, 'db'>, sentTo: StoredDestination): Promise<StoredDestination | null> {
  const now = await findDestination(db, sentTo.id);
  // Its place moves where it was switched off and on again.
  return now?.is_enabled && now.url === sentTo.url && now.place === sentTo.place ? now : null;
}

async function send(
  ctx: JobContext,
  destination: StoredDestination,
  { id, type, place }: Message,
  letter: NonNullable<Message['letter']>,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  const { kind, url } = destination;
  const [at, began, attempt] = [ctx.now().toISOString(), performance.now(), run.attempts + 1];
  const answer = await ctx.post({ ...letter, signal });
  // It may have arrived or not, so the next server sends it; the receiver has not failed.
  if (!answer.ok && answer.error === 'stopped') return;
  const ms = Math.round(performance.now() - began);
  const verdict = readAnswer(kind, answer, ctx.now());
  const outcome = note(run, verdict, attempt, place, ctx.now());
  const error = verdict.of === 'delivered' ? null : verdict.error;
  const status = answer.ok ? answer.status : null;
  run.tries.push({ message_id: id, type, at, attempt, status, error, ms, outcome, answer: saidBy(answer, url) });
  ctx.metrics.deliveries.inc({ kind, outcome: outcome === 'retrying' ? 'failed' : outcome });
}

/** Notes how a try fared. */
function note(run: Run, verdict: Verdict, attempt: number, place: number, now: Date): Try['outcome'] {
  if (verdict.of === 'delivered') {
    Object.assign(run, { place, attempts: 0, asked_to_wait: 0, delivered_at: now.toISOString() });
    return 'delivered';
  }
  const { error } = verdict;
  if (verdict.of === 'off') {
    run.failed = { error, switched_off: verdict.switched_off };
    return 'switched_off';
  }
  const { seconds, asked_to_wait } = nextTry({ attempts: attempt, asked_to_wait: run.asked_to_wait }, verdict.after_s);
  run.failed = { error, next_try_at: seconds === null ? null : new Date(now.getTime() + seconds * 1_000).toISOString() };
  // What is given up holds up nothing any longer.
  if (seconds === null) Object.assign(run, { place, attempts: 0, asked_to_wait: 0 });
  else Object.assign(run, { attempts: attempt, asked_to_wait });
  return seconds === null ? 'given_up' : 'retrying';
}

/** Writes what came of a run, as far as the destination is still the one that was sent to. */
async function settle(ctx: JobContext, tx: Tx, changes: ChangeRecorder, sentTo: StoredDestination, run: Run): Promise<void> {
  const now = await findDestination(tx, sentTo.id);
  if (!now) return;
  await storeTries(tx, now.id, run.tries);
  if (!now.is_enabled) return;
  const place = Math.max(now.place, run.place);
  const last_delivery_at = run.delivered_at ?? now.last_delivery_at;
  // An admin gave it another address meanwhile: that one has not failed.
  const isOther = now.url !== sentTo.url || now.attempts !== sentTo.attempts;
  const failed = isOther ? null : run.failed;
  if (failed && 'switched_off' in failed) return switchOff(ctx, tx, changes, { ...now, last_delivery_at }, failed);
  const waiting = await countWaiting(tx, { ...now, place });
  const after: StoredDestination = {
    ...now,
    // What it does not hear need not wait for it to be forgotten.
    place: waiting === 0 ? Math.max(place, await newestNews(tx)) : place,
    waiting,
    last_delivery_at,
    ...(isOther ? {} : { attempts: run.attempts, asked_to_wait: run.asked_to_wait, next_try_at: failed?.next_try_at ?? null }),
    last_error: failed ? failed.error : run.delivered_at ? null : now.last_error,
  };
  await store(tx, changes, after);
  if (waiting > 0 && !isOther)
    await addJob(tx, changes, sendNews, { key: String(now.id), due_at: await nextRun(ctx, tx, after), payload: null });
  await forgetPassed(tx);
}

async function nextRun({ now }: Pick<JobContext, 'now'>, tx: Tx, destination: StoredDestination): Promise<Date> {
  if (destination.next_try_at !== null) return new Date(destination.next_try_at);
  const moment = now().getTime();
  if (destination.kind === 'webhook') return new Date(moment);
  const gathered = Date.parse((await oldestWaiting(tx, destination)) ?? '') + GATHERED_MS.discord;
  return new Date(Math.min(Math.max(moment, gathered), moment + GATHERED_MS.discord));
}

/** The address is good for nothing any more: it is sent nothing until an admin says otherwise. */
async function switchOff(
  ctx: JobContext,
  tx: Tx,
  changes: ChangeRecorder,
  destination: StoredDestination,
  { error, switched_off }: { error: string; switched_off: 'gone' | 'refused' },
): Promise<void> {
  const off = { is_enabled: 0, switched_off, waiting: 0, attempts: 0, asked_to_wait: 0, next_try_at: null, last_error: error } as const;
  await store(tx, changes, { ...destination, ...off });
  await ctx.outbox.updateSubscribedTypes(tx);
  await forgetPassed(tx);
  await logActivity(changes, { role: 'server' }, 'destination_switched_off', { ...destinationTold(destination), switched_off });
}

async function store(tx: Tx, changes: ChangeRecorder, destination: StoredDestination): Promise<void> {
  const { id, is_enabled, switched_off, place, waiting, attempts, asked_to_wait, next_try_at, last_delivery_at, last_error } = destination;
  const fields = { is_enabled, switched_off, place, waiting, attempts, asked_to_wait, next_try_at, last_delivery_at, last_error };
  await tx.updateTable('destinations').set(fields).where('id', '=', id).execute();
  changes.put({ kind: 'destination', record: destinationRecord(destination) });
}
