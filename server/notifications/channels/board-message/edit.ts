import { z } from 'zod';
import {
  type BoardMessage,
  boardMessage,
  closedBoardMessage,
  type SayOnBoard,
  shownBoard,
} from '../../../../shared/discord/board-message.ts';
import { serverSaveTime } from '../../../../shared/rules/server-save.ts';
import { type Language, MAX_DESTINATIONS } from '../../../../shared/schemas/destination.ts';
import { endlessWaitAfter } from '../../../db/back-off.ts';
import { serverSaveClock } from '../../../db/clock/server-save-clock.ts';
import { type Unit, write } from '../../../db/unit-of-work.ts';
import { sentencesIn } from '../../../http/errors.ts';
import type { InsideKind, OutsideKind, StoreOutcome } from '../../../jobs/job-kind.ts';
import { addJob } from '../../../jobs/job-store.ts';
import { type Answer, jsonOf, MAX_READ_BYTES, type Verdict } from '../../outbound/post.ts';
import { channelRecord, findChannel, type StoredChannel } from '../channel.ts';
import { judgeChannel, switchOff } from '../send.ts';
import type { BoardMessageContext } from './context.ts';
import {
  CLOSE_JOB,
  EDIT_JOB,
  editAll,
  findBoardMessage,
  nextEditAt,
  nextPostAt,
  type StoredBoardMessage,
} from './records.ts';

/** Seconds after each failed edit; the last one repeats. The next edit sends what is true then. */
const WAITS_S: readonly number[] = [30, 60, 300, 900];
/** Discord's number of the error: the message was deleted. */
const UNKNOWN_MESSAGE = 10_008;
/** Failures that leave open whether Discord has the message. */
const UNKNOWN_OUTCOME: readonly string[] = ['timeout', 'reset', 'unreadable'];
/** Look again this soon if this server hasn't heard yet what another one wrote, in milliseconds. */
const LAG_MS = 1_000;

const postedMessage = z.object({ id: z.string().regex(/^\d{1,20}$/) });
const refusal = z.object({ code: z.number() });

const sayIn = (language: Language): SayOnBoard => {
  const sentences = sentencesIn(language);
  return (key, params = {}) => sentences(key, params);
};

type Target = Pick<StoredChannel, 'url'> & { message_id: string | null };

/** @param message_id null: post a new message */
function send(
  { post }: Pick<BoardMessageContext, 'post'>,
  { url, message_id }: Target,
  { body, signal }: { body: BoardMessage; signal: AbortSignal },
): Promise<Answer> {
  // The address may name a thread in its query.
  const to = new URL(url);
  if (message_id === null) to.searchParams.set('wait', 'true');
  else to.pathname = `${to.pathname.replace(/\/+$/, '')}/messages/${message_id}`;
  return post({
    url: to.href,
    method: message_id === null ? 'POST' : 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    kept_bytes: MAX_READ_BYTES,
    signal,
  });
}

const bodyOf = (answer: Answer): unknown => (answer.ok ? jsonOf(answer.body) : null);

const isGone = (answer: Answer): boolean =>
  answer.ok &&
  answer.status === 404 &&
  refusal.safeParse(bodyOf(answer)).data?.code === UNKNOWN_MESSAGE;

/** @returns null while this server's board lacks writes of other servers */
async function currentMessage(
  ctx: BoardMessageContext,
  { channel: { language }, kept: { category_id } }: Before,
): Promise<BoardMessage | null> {
  const { value } = await ctx.db.selectFrom('clock').select('value').executeTakeFirstOrThrow();
  const { clock: known, records } = await ctx.readModel.snapshot('members');
  if (known < value) return null;
  const now = ctx.now();
  const clock = serverSaveClock(ctx);
  const { date: today, hour } = serverSaveTime(now, clock);
  const board = shownBoard(records, { today, hour, now, category_id });
  const board_url = ctx.env.PUBLIC_URL ?? null;
  return boardMessage(board, { say: sayIn(language), clock, now, board_url });
}

interface Before {
  channel: StoredChannel;
  kept: StoredBoardMessage;
}

/** Brings a channel's message up to date: only the newest board is ever sent. */
export const editMessage: OutsideKind<null, BoardMessageContext> = {
  ...EDIT_JOB,
  runs: 'outside',
  notifies: true,
  max_running: MAX_DESTINATIONS,
  timeout_s: 60,
  unseen: true,
  // The id of a message that was just posted must be stored, or the next server posts another one.
  finishes: true,
  run: async (ctx, { key }, { signal, mayContinue }) => {
    const channel = await findChannel(ctx.db, Number(key));
    const kept = await findBoardMessage(ctx.db, Number(key));
    if (!channel?.is_enabled || !kept) return undefined;
    const again = (due_at: Date): StoreOutcome => {
      return (unit) => addJob(unit, EDIT_JOB, { key, due_at, payload: null });
    };
    // A change came while the last edit was under way.
    const due_at = nextEditAt(kept, ctx.now());
    if (due_at > ctx.now()) return again(due_at);
    const before = { channel, kept };
    const body = await currentMessage(ctx, before);
    if (!body) return again(new Date(ctx.now().getTime() + LAG_MS));
    // Another server may have taken the job while this process was frozen.
    if (!(await mayContinue())) return again(ctx.now());
    const sent = await sendBoard(ctx, before, { body, signal });
    if (sent === null) {
      const next_try_at = nextPostAt(kept, ctx.now()).toISOString();
      return (unit) => storeOutcome(unit, before, { message_id: null, next_try_at });
    }
    const { answer, isPost } = sent;
    if (!answer.ok && answer.error === 'stopped') {
      // This server stops, and the next one goes on. Perhaps the message was posted.
      const at = ctx.now().toISOString();
      const { message_id, posted_at } = isPost ? { message_id: null, posted_at: at } : kept;
      return (unit) => storeOutcome(unit, before, { message_id, posted_at, next_try_at: at });
    }
    const verdict = judgeChannel(channel, answer, ctx.now());
    await showHealth(ctx, before, verdict);
    return (unit) =>
      storeOutcome(unit, before, outcomeOf(before, { ...sent, verdict, at: unit.at }));
  },
};

interface Sent {
  answer: Answer;
  isPost: boolean;
}

/** @returns null if the message was deleted at Discord, and it is too early to post it again */
async function sendBoard(
  ctx: BoardMessageContext,
  { channel: { url }, kept }: Before,
  message: { body: BoardMessage; signal: AbortSignal },
): Promise<Sent | null> {
  const { message_id } = kept;
  if (message_id !== null) {
    const answer = await send(ctx, { url, message_id }, message);
    if (!isGone(answer)) return { answer, isPost: false };
  }
  if (nextPostAt(kept, ctx.now()) > ctx.now()) return null;
  return { answer: await send(ctx, { url, message_id: null }, message), isPost: true };
}

/** Shows admins the first of several failures, and that they are over. A dead address switches the channel off. */
async function showHealth(
  ctx: BoardMessageContext,
  { channel: { id, url }, kept }: Before,
  verdict: Verdict,
): Promise<void> {
  const error = verdict.type === 'delivered' ? null : verdict.error;
  if (verdict.type !== 'off' && error === kept.error) return;
  await write(ctx, async (unit) => {
    const channel = await findChannel(unit.tx, id);
    if (!channel?.is_enabled || channel.url !== url) return;
    if (verdict.type === 'off') return switchOff(unit, channel, verdict);
    // An error of an event's message is not ours to clear.
    if (error === null && channel.last_error !== kept.error) return;
    const after = { ...channel, last_error: error };
    await unit.tx.updateTable('channels').set({ last_error: error }).where('id', '=', id).execute();
    unit.changes.put({ kind: 'destination', record: channelRecord(after) });
  });
}

type Outcome = Pick<StoredBoardMessage, 'message_id' | 'next_try_at'> & Partial<StoredBoardMessage>;

/** Whether Discord has the message, or may have it although its answer got lost. */
const mayHaveArrived = (answer: Answer): boolean =>
  answer.ok ? answer.status < 300 || answer.status >= 500 : UNKNOWN_OUTCOME.includes(answer.error);

function outcomeOf(
  { channel: { language }, kept }: Before,
  { answer, isPost, verdict, at }: Sent & { verdict: Verdict; at: Date },
): Outcome {
  const posted_at = isPost && mayHaveArrived(answer) ? at.toISOString() : kept.posted_at;
  const posted_id = postedMessage.safeParse(bodyOf(answer)).data?.id ?? null;
  if (verdict.type === 'delivered')
    return {
      message_id: isPost ? posted_id : kept.message_id,
      language,
      posted_at,
      sent_at: at.toISOString(),
      failures: 0,
      next_try_at: null,
      error: null,
    };
  const failures = kept.failures + 1;
  const asked_s = verdict.type === 'again' ? verdict.after_s : null;
  const pause_s = Math.max(asked_s ?? 0, endlessWaitAfter(failures, WAITS_S));
  return {
    message_id: isPost ? null : kept.message_id,
    posted_at,
    failures,
    next_try_at: new Date(at.getTime() + pause_s * 1_000).toISOString(),
    error: verdict.error,
  };
}

/** Stores the outcome of an edit, unless an admin has switched the channel off or moved it meanwhile. */
async function storeOutcome(
  unit: Unit,
  { channel: { id, url, language }, kept }: Before,
  outcome: Outcome,
): Promise<void> {
  const { tx } = unit;
  const { message_id, next_try_at } = outcome;
  const now = await findBoardMessage(tx, id);
  const place = await findChannel(tx, id);
  if (!now || now.message_id !== kept.message_id || !place?.is_enabled || place.url !== url) {
    // It may have arrived after the end of the message.
    if (message_id !== null && outcome.error === null)
      await closeLater(unit, { url, language, message_id });
    return;
  }
  await tx
    .updateTable('board_messages')
    .set({ ...outcome, url })
    .where('channel_id', '=', id)
    .execute();
  if (next_try_at !== null)
    await addJob(unit, EDIT_JOB, { key: String(id), due_at: new Date(next_try_at), payload: null });
}

/** Has a message say that it is no longer updated, once. */
export const closeLater = (
  unit: Unit,
  { url, language, message_id }: Pick<StoredChannel, 'url' | 'language'> & { message_id: string },
): Promise<void> =>
  addJob(unit, CLOSE_JOB, {
    key: message_id,
    due_at: unit.at,
    payload: { url, message_id, language },
  });

export const closeMessage: OutsideKind<z.infer<typeof CLOSE_JOB.payload>, BoardMessageContext> = {
  ...CLOSE_JOB,
  runs: 'outside',
  notifies: true,
  max_running: MAX_DESTINATIONS,
  timeout_s: 60,
  unseen: true,
  retry_after_s: [30, 300, 3_600],
  run: async (ctx, { payload: { url, message_id, language } }, { signal }) => {
    const body = closedBoardMessage(sayIn(language));
    const answer = await send(ctx, { url, message_id }, { body, signal });
    // A message, or an address, that is gone needs no end.
    const isOver = answer.ok && answer.status < 500 && answer.status !== 429;
    if (!isOver) throw new Error('Discord did not take the end of a board message');
    return undefined;
  },
};

/** The board moves on at the start of each hour, and with the server save. */
export const eachHour: InsideKind<null> = {
  kind: 'board-message.hour',
  payload: z.null(),
  runs: 'inside',
  next: ({ env, now }) => {
    const { minutes_left } = serverSaveTime(now(), serverSaveClock({ env }));
    const minute = Math.floor(now().getTime() / 60_000);
    return new Date((minute + minutes_left) * 60_000);
  },
  isNeeded: async ({ db }) =>
    (await db.selectFrom('board_messages').select('channel_id').limit(1).execute()).length > 0,
  run: async (unit) => {
    await editAll(unit);
    return undefined;
  },
};
