import {
  DELIVERIES_KEPT,
  type Delivery,
  MAX_ANSWER_LENGTH,
  MAX_DESTINATIONS,
} from '../../../shared/schemas/destination.ts';
import { withoutSecrets } from '../../../shared/secrets.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { waitAfter } from '../../db/back-off.ts';
import type { Db, Tx } from '../../db/database.ts';
import { updateSubscribedTypes } from '../../db/domain-events.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { JobContext, Lease, OutsideKind } from '../../jobs/job-kind.ts';
import { addJob } from '../../jobs/job-store.ts';
import {
  type Answer,
  judgeAnswer,
  MAX_KEPT_BYTES,
  type OutboundMessage,
  type Sending,
  type Verdict,
} from '../outbound/post.ts';
import {
  channelDetails,
  channelRecord,
  findChannel,
  GATHER_MS,
  SEND_JOB,
  type StoredChannel,
  sendJob,
} from './channel.ts';
import { countPending, deleteDelivered, newestEventId, oldestPendingAt } from './events.ts';
import { type NextMessage, nextMessage } from './messages.ts';

/** Seconds after each failed attempt, as documented for webhooks; a message that then fails again is abandoned. */
const WAITS_S: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** This many pauses that a receiver asks for don't use up an attempt of the schedule. */
const MAX_FREE_PAUSES = 3;

interface Failures {
  /** Failed attempts, this one included. */
  attempts: number;
  /** How many of the earlier ones were free pauses. */
  rescheduled_attempts: number;
}

/**
 * When to retry, in seconds from now; null: abandon the message. After MAX_FREE_PAUSES a requested pause only lengthens the
 * schedule's, or a receiver that always asks for one second would get the same message forever.
 * @param requested_s the pause that the receiver asks for now
 */
export function nextAttempt(
  { attempts, rescheduled_attempts }: Failures,
  requested_s: number | null,
): { seconds: number | null; rescheduled_attempts: number } {
  if (requested_s !== null && rescheduled_attempts < MAX_FREE_PAUSES)
    return { seconds: requested_s, rescheduled_attempts: rescheduled_attempts + 1 };
  const scheduled = waitAfter(attempts - rescheduled_attempts, WAITS_S);
  return {
    seconds: scheduled === null ? null : Math.max(requested_s ?? 0, scheduled),
    rescheduled_attempts,
  };
}

type Attempt = Omit<Delivery, 'id'>;

const COLUMNS = [
  'id',
  'message_id',
  'type',
  'at',
  'attempt',
  'status',
  'error',
  'ms',
  'outcome',
  'answer',
] as const;

/** The newest first. */
export const lastAttempts = (db: Db | Tx, channel_id: number): Promise<Delivery[]> =>
  db
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('channel_id', '=', channel_id)
    .orderBy('id', 'desc')
    .limit(DELIVERIES_KEPT)
    .execute();

/** Stores attempts, and deletes all but the newest DELIVERIES_KEPT of the channel. */
export async function storeAttempts(
  tx: Tx,
  channel_id: number,
  attempts: readonly Attempt[],
): Promise<void> {
  const newest = attempts.slice(-DELIVERIES_KEPT).map((each) => ({ ...each, channel_id }));
  if (newest.length === 0) return;
  await tx.insertInto('deliveries').values(newest).execute();
  const [oldest] = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('channel_id', '=', channel_id)
    .orderBy('id', 'desc')
    .offset(DELIVERIES_KEPT - 1)
    .limit(1)
    .execute();
  if (oldest)
    await tx
      .deleteFrom('deliveries')
      .where('channel_id', '=', channel_id)
      .where('id', '<', oldest.id)
      .execute();
}

/** Control characters; PostgreSQL stores no NUL. */
const CONTROLS = /\p{Cc}+/gu;
/** Shorter parts of an address are not secret, and occur in many sentences. */
const MIN_SECRET_LENGTH = 6;
const LAST_WORD = /[^\s"'<>(){}[\]|]+$/;

/**
 * The beginning of a receiver's answer for admins to read, without the channel's address in any encoding: knowing it is enough to
 * write to the channel.
 */
export function answerText(answer: Answer, url: string): string {
  if (!answer.ok) return '';
  // An answer that was cut off may end in half an address.
  const body =
    Buffer.byteLength(answer.body) < MAX_KEPT_BYTES - 3
      ? answer.body
      : answer.body.replace(LAST_WORD, '');
  return withoutAddress(body, url)
    .replace(CONTROLS, ' ')
    .slice(0, MAX_ANSWER_LENGTH)
    .toWellFormed();
}

function withoutAddress(text: string, url: string): string {
  const { href, pathname, search } = new URL(url);
  const parts = (pathname + search)
    .split(/[^\w-]+/)
    .filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const known = [url, href, pathname + search, pathname, search].filter(({ length }) => length > 1);
  return withoutSecrets(text, [...known, ...parts]);
}

/** Judges a channel's answer. The error, which admins read, doesn't contain the address. */
export const judgeChannel = (
  { kind, url }: Pick<StoredChannel, 'kind' | 'url'>,
  answer: Answer,
  now: Date,
): Verdict =>
  judgeAnswer(
    kind,
    answer.ok ? { ...answer, body: withoutAddress(answer.body, url) } : answer,
    now,
  );

/** Messages to one channel in a run; each run ends with one write, which advances the clock of all watchers. */
const MESSAGES_A_RUN = 100;
/** Begin no message after this long. */
const RUN_MS = 10_000;
/** RUN_MS, one message that hangs, and the write. */
const WITHIN_S = 60;

interface Run {
  attempts: Attempt[];
  /** Of the last event that needs no more attempts. */
  last_event_id: number;
  /** Time of the last delivery. */
  delivered_at: string | null;
  /** Of the next message: its failed attempts, and how many were requested pauses. */
  failures: number;
  rescheduled_attempts: number;
  /** Why a message was left out, the last one. */
  left_out: string | null;
  /** Up to this event, messages have one event each: a message with several was refused. */
  single_until: number;
  failure:
    | { error: string; next_try_at: string | null }
    | { error: string; switched_off: 'gone' | 'refused' }
    | null;
}

/**
 * Sends a channel its pending events, in order, until none is left, one fails, or the run has lasted long enough. The outcome is
 * written once, at the end: a server that dies before leaves the messages to the next one, which sends them again.
 */
export const sendEvents: OutsideKind<null, Sending> = {
  ...SEND_JOB,
  runs: 'outside',
  notifies: true,
  max_running: MAX_DESTINATIONS,
  timeout_s: WITHIN_S,
  finishes: true,
  run: async (ctx, { key }, lease) => {
    const channel = await findChannel(ctx.db, Number(key));
    if (!channel?.is_enabled) return undefined;
    const run = await sendPending(ctx, channel, lease);
    return (unit) => storeRun(unit, channel, run);
  },
};

async function sendPending(ctx: Sending, channel: StoredChannel, lease: Lease): Promise<Run> {
  const { last_event_id, attempts: failures, rescheduled_attempts } = channel;
  const run: Run = {
    attempts: [],
    last_event_id,
    delivered_at: null,
    failures,
    rescheduled_attempts,
    left_out: null,
    single_until: 0,
    failure: null,
  };
  const until = performance.now() + RUN_MS;
  let current: StoredChannel | null = channel;
  while (
    current &&
    !run.failure &&
    run.attempts.length < MESSAGES_A_RUN &&
    performance.now() < until
  ) {
    current = { ...current, last_event_id: run.last_event_id };
    const next: NextMessage | null = await nextMessage(ctx, current, run.single_until);
    if (!next) break;
    if (next.message === null) run.last_event_id = next.last_event_id;
    // Another server may have taken the job while this process was frozen.
    else if (!(await lease.mayContinue())) break;
    else await send(ctx, run, { ...next, channel: current, message: next.message, lease });
    current = await reload(ctx, channel);
  }
  return run;
}

/** The channel with an admin's changes; null: it was switched off, moved elsewhere or restarted, so this run ends. */
async function reload(
  { db }: Pick<JobContext, 'db'>,
  channel: StoredChannel,
): Promise<StoredChannel | null> {
  const now = await findChannel(db, channel.id);
  // Switching it off and on again moves its place.
  return now?.is_enabled && now.url === channel.url && now.last_event_id === channel.last_event_id
    ? now
    : null;
}

interface SentMessage extends NextMessage {
  channel: StoredChannel;
  message: OutboundMessage;
  lease: Pick<Lease, 'signal'>;
}

async function send(ctx: Sending, run: Run, sent: SentMessage): Promise<void> {
  const { channel, message, lease } = sent;
  const attempt = run.failures + 1;
  const at = ctx.now().toISOString();
  const startedAt = performance.now();
  const answer = await ctx.post({ ...message, signal: lease.signal });
  // This server stops: the next one sends the message, whether or not it arrived.
  if (!answer.ok && answer.error === 'stopped') return;
  const ms = Math.round(performance.now() - startedAt);
  const verdict = judgeChannel(channel, answer, ctx.now());
  const outcome = applyVerdict(run, verdict, { ...sent, attempt, now: ctx.now() });
  const error = verdict.type === 'delivered' ? null : verdict.error;
  const status = answer.ok ? answer.status : null;
  run.attempts.push({
    message_id: sent.id,
    type: sent.type,
    at,
    attempt,
    status,
    error,
    ms,
    outcome,
    answer: answerText(answer, channel.url),
  });
  ctx.metrics.deliveries.inc({
    kind: channel.kind,
    outcome: outcome === 'retrying' ? 'failed' : outcome,
  });
}

interface JudgedMessage extends Pick<NextMessage, 'last_event_id' | 'has_several'> {
  attempt: number;
  now: Date;
}

function applyVerdict(
  run: Run,
  verdict: Verdict,
  { attempt, last_event_id, has_several, now }: JudgedMessage,
): Attempt['outcome'] {
  if (verdict.type === 'delivered') {
    Object.assign(run, {
      last_event_id,
      failures: 0,
      rescheduled_attempts: 0,
      delivered_at: now.toISOString(),
    });
    return 'delivered';
  }
  const { error } = verdict;
  if (verdict.type === 'off') {
    run.failure = { error, switched_off: verdict.switched_off };
    return 'switched_off';
  }
  if (verdict.type === 'never') {
    Object.assign(run, { failures: 0, rescheduled_attempts: 0 });
    // Only the event that is refused is left out.
    if (has_several) run.single_until = last_event_id;
    else Object.assign(run, { last_event_id, left_out: error });
    return has_several ? 'retrying' : 'given_up';
  }
  const { seconds, rescheduled_attempts } = nextAttempt(
    { attempts: attempt, rescheduled_attempts: run.rescheduled_attempts },
    verdict.after_s,
  );
  run.failure = {
    error,
    next_try_at: seconds === null ? null : new Date(now.getTime() + seconds * 1_000).toISOString(),
  };
  // An abandoned message holds up the next ones no longer.
  if (seconds === null) Object.assign(run, { last_event_id, failures: 0, rescheduled_attempts: 0 });
  else Object.assign(run, { failures: attempt, rescheduled_attempts });
  return seconds === null ? 'given_up' : 'retrying';
}

/** Stores the outcome, as far as an admin has not changed the channel meanwhile. */
async function storeRun(unit: Unit, before: StoredChannel, run: Run): Promise<void> {
  const { tx } = unit;
  const now = await findChannel(tx, before.id);
  if (!now) return;
  await storeAttempts(tx, now.id, run.attempts);
  if (!now.is_enabled) return;
  const last_event_id = Math.max(now.last_event_id, run.last_event_id);
  const last_delivery_at = run.delivered_at ?? now.last_delivery_at;
  // A new address has not failed.
  const wasChanged = now.url !== before.url || now.attempts !== before.attempts;
  const failure = wasChanged ? null : run.failure;
  if (failure && 'switched_off' in failure)
    return switchOff(unit, { ...now, last_delivery_at }, failure);
  const waiting = await countPending(tx, { ...now, last_event_id });
  const after: StoredChannel = {
    ...now,
    // Events of other types need not be kept for it.
    last_event_id: waiting === 0 ? Math.max(last_event_id, await newestEventId(tx)) : last_event_id,
    waiting,
    last_delivery_at,
    ...(wasChanged
      ? {}
      : {
          attempts: run.failures,
          rescheduled_attempts: run.rescheduled_attempts,
          next_try_at: failure?.next_try_at ?? null,
        }),
    last_error:
      failure?.error ??
      (wasChanged ? null : run.left_out) ??
      (run.delivered_at ? null : now.last_error),
  };
  await storeChannel(unit, after);
  if (waiting > 0 && !wasChanged)
    await addJob(unit, SEND_JOB, sendJob(now.id, await nextRunAt(unit, after)));
  await deleteDelivered(tx);
}

async function nextRunAt({ tx, at }: Unit, channel: StoredChannel): Promise<Date> {
  if (channel.next_try_at !== null) return new Date(channel.next_try_at);
  const time = at.getTime();
  if (channel.kind === 'webhook') return new Date(time);
  const gatheredAt = Date.parse((await oldestPendingAt(tx, channel)) ?? '') + GATHER_MS.discord;
  return new Date(Math.min(Math.max(time, gatheredAt), time + GATHER_MS.discord));
}

/** The address is dead: send nothing until an admin switches the channel on again. */
export async function switchOff(
  unit: Unit,
  channel: StoredChannel,
  { error, switched_off }: { error: string; switched_off: 'gone' | 'refused' },
): Promise<void> {
  const off = {
    is_enabled: 0,
    switched_off,
    waiting: 0,
    attempts: 0,
    rescheduled_attempts: 0,
    next_try_at: null,
    last_error: error,
  } as const;
  await storeChannel(unit, { ...channel, ...off });
  await updateSubscribedTypes(unit.ctx, unit.tx);
  await deleteDelivered(unit.tx);
  const details = { ...channelDetails(channel), switched_off };
  await logActivity(unit, { role: 'server' }, { action: 'destination_switched_off', details });
}

async function storeChannel({ tx, changes }: Unit, channel: StoredChannel): Promise<void> {
  const {
    id,
    is_enabled,
    switched_off,
    last_event_id,
    waiting,
    attempts,
    rescheduled_attempts,
    next_try_at,
    last_delivery_at,
    last_error,
  } = channel;
  const fields = {
    is_enabled,
    switched_off,
    last_event_id,
    waiting,
    attempts,
    rescheduled_attempts,
    next_try_at,
    last_delivery_at,
    last_error,
  };
  await tx.updateTable('channels').set(fields).where('id', '=', id).execute();
  changes.put({ kind: 'destination', record: channelRecord(channel) });
}
