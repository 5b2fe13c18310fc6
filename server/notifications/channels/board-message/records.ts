import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { ListedBoardMessage } from '../../../../shared/schemas/board-message.ts';
import { language } from '../../../../shared/schemas/destination.ts';
import type { Db, Tx } from '../../../db/database.ts';
import type { BoardMessagesTable } from '../../../db/schema.ts';
import type { Unit } from '../../../db/unit-of-work.ts';
import { addJobs } from '../../../jobs/job-store.ts';

export type StoredBoardMessage = Selectable<BoardMessagesTable>;

/** The edit of a channel's message. Its key is the channel's id: there is one at most. */
export const EDIT_JOB = { kind: 'board-message.edit', payload: z.null() } as const;
/** Edits a message that is no longer kept once more. */
export const CLOSE_JOB = {
  kind: 'board-message.close',
  payload: z.object({ url: z.string(), message_id: z.string(), language }),
} as const;

/** A message is edited this often at most, in milliseconds. */
const EDIT_EVERY_MS = 30_000;
/** A message that was deleted at Discord is posted again this often at most, in milliseconds. */
const POST_EVERY_MS = 10 * 60_000;
/** No pause is longer, in milliseconds. One that seems so was stored by a clock that has jumped back since. */
const LONGEST_PAUSE_MS = 3_600_000;

/** A message that is still to be posted, wherever its channel is. */
export const NOT_POSTED = {
  message_id: null,
  url: null,
  language: null,
  posted_at: null,
  failures: 0,
  next_try_at: null,
  error: null,
} as const;

export async function findBoardMessage(
  db: Db | Tx,
  channel_id: number,
): Promise<StoredBoardMessage | null> {
  const found = db.selectFrom('board_messages').selectAll().where('channel_id', '=', channel_id);
  return (await found.executeTakeFirst()) ?? null;
}

/** The channels that keep the board, for admins. */
export const listBoardMessages = (db: Db | Tx): Promise<ListedBoardMessage[]> =>
  db
    .selectFrom('board_messages')
    .innerJoin('channels', 'channels.id', 'board_messages.channel_id')
    .select(['channel_id as destination_id', 'category_id', 'sent_at', 'error'])
    .orderBy('channel_id')
    .execute();

/** When a pause ends, in milliseconds. One that begins in the future is none: the clock has jumped back. */
function endOf(began_at: string | null, pause_ms: number, now: Date): number {
  const began = began_at === null ? 0 : Date.parse(began_at);
  return began > now.getTime() ? 0 : began + pause_ms;
}

/** When a message that was deleted may be posted again. */
export const nextPostAt = ({ posted_at }: Pick<StoredBoardMessage, 'posted_at'>, now: Date): Date =>
  new Date(Math.max(now.getTime(), endOf(posted_at, POST_EVERY_MS, now)));

/** When a message may be edited next. */
export function nextEditAt(
  { sent_at, next_try_at }: Pick<StoredBoardMessage, 'sent_at' | 'next_try_at'>,
  now: Date,
): Date {
  const retry = next_try_at === null ? 0 : Date.parse(next_try_at);
  return new Date(
    Math.max(
      now.getTime(),
      endOf(sent_at, EDIT_EVERY_MS, now),
      retry - now.getTime() > LONGEST_PAUSE_MS ? 0 : retry,
    ),
  );
}

/** Has the messages edited of all channels that keep the board: one pending edit each. */
export async function editAll(unit: Unit): Promise<void> {
  const rows = await unit.tx
    .selectFrom('board_messages')
    .innerJoin('channels', 'channels.id', 'board_messages.channel_id')
    .select(['channel_id', 'sent_at', 'board_messages.next_try_at'])
    .where('channels.is_enabled', '=', 1)
    .execute();
  await addJobs(
    unit,
    EDIT_JOB,
    rows.map((row) => ({
      key: String(row.channel_id),
      due_at: nextEditAt(row, unit.at),
      payload: null,
    })),
  );
}
