import { DomainError, existing } from '../../../../shared/errors.ts';
import type {
  BoardMessageInput,
  ListedBoardMessage,
} from '../../../../shared/schemas/board-message.ts';
import { logActivity } from '../../../auth/activity-log.ts';
import { type Writing, write } from '../../../db/unit-of-work.ts';
import type { Admin } from '../../../http/caller.ts';
import { addJob, removeJob } from '../../../jobs/job-store.ts';
import { channelDetails, findChannel } from '../channel.ts';
import { closeLater } from './edit.ts';
import { EDIT_JOB, findBoardMessage, NOT_POSTED, nextEditAt } from './records.ts';

/**
 * Has a channel keep today's board in one message, of all spots or of one category.
 * @throws DomainError destination.notFound, destination.notDiscord, category.notFound
 */
export function keepBoard(
  ctx: Writing,
  admin: Admin,
  { id, category_id }: BoardMessageInput & { id: number },
): Promise<ListedBoardMessage> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const channel = existing(await findChannel(tx, id), 'destination.notFound');
    if (channel.kind !== 'discord') throw new DomainError('destination.notDiscord');
    const category =
      category_id === null
        ? null
        : existing(
            await tx
              .selectFrom('categories')
              .select('name')
              .where('id', '=', category_id)
              .executeTakeFirst(),
            'category.notFound',
          );
    await tx
      .insertInto('board_messages')
      .values({ ...NOT_POSTED, channel_id: id, category_id, sent_at: null })
      .onConflict((conflict) => conflict.column('channel_id').doUpdateSet({ category_id }))
      .execute();
    const kept = existing(await findBoardMessage(tx, id), 'destination.notFound');
    if (channel.is_enabled)
      await addJob(unit, EDIT_JOB, {
        key: String(id),
        due_at: nextEditAt(kept, unit.at),
        payload: null,
      });
    await logActivity(unit, admin, {
      action: 'board_message_saved',
      details: { ...channelDetails(channel), category_name: category?.name ?? null },
    });
    const { sent_at, error } = kept;
    return { destination_id: id, category_id, sent_at, error };
  });
}

/**
 * Ends it: the message says once that it is no longer updated.
 * @throws DomainError destination.notFound, destination.noBoard
 */
export async function endBoard(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (unit) => {
    const { tx } = unit;
    const channel = existing(await findChannel(tx, id), 'destination.notFound');
    const kept = existing(await findBoardMessage(tx, id), 'destination.noBoard');
    const { url, message_id, language } = kept;
    if (url !== null && message_id !== null && language !== null)
      await closeLater(unit, { url, message_id, language });
    await tx.deleteFrom('board_messages').where('channel_id', '=', id).execute();
    await removeJob(tx, EDIT_JOB, String(id));
    await logActivity(unit, admin, {
      action: 'board_message_removed',
      details: channelDetails(channel),
    });
  });
}
