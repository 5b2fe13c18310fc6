import { z } from 'zod';
import { id, timestamp } from './fields.ts';

/** A Discord channel keeps today's board in one message. */
export const boardMessageInput = z.object({
  category_id: id.nullable().describe('Only the spots of this category; null: all'),
});
export type BoardMessageInput = z.infer<typeof boardMessageInput>;

export const listedBoardMessage = boardMessageInput.extend({
  /** The channel's id. */
  destination_id: id,
  /** When the message was last brought up to date; null: not yet. */
  sent_at: timestamp.nullable(),
  /** Why the last edit failed; null: it did not. */
  error: z.string().nullable(),
});
export type ListedBoardMessage = z.infer<typeof listedBoardMessage>;
