import { z } from 'zod';
import type { DomainEvent } from '../../../shared/schemas/domain-events.ts';
import { inBatches } from '../../db/database.ts';
import type { EventListener } from '../../db/unit-of-work.ts';
import { deleteOld } from '../../jobs/job-kind.ts';
import { addJobs } from '../../jobs/job-store.ts';
import { hasLinks } from '../push/direct-recipients.ts';

/* Direct messages that are edited when their question is answered or expires. */

/** The job that edits a message. Its key is the message's id. */
export const EDIT_JOB = { kind: 'direct.edit', payload: z.null() } as const;
/** A button's own answer replaces its message first, in milliseconds. */
const EDIT_DELAY_MS = 2_000;

/** The record of an event that messages may ask about, as `promptOf` names it. */
function promptIn(event: DomainEvent): string | null {
  if (event.type === 'prompt.changed') return event.data.about;
  return event.type === 'transfer.ended' ? `transfer ${event.data.id}` : null;
}

/** Edits messages when their question changes. */
export const directMessageListener: EventListener = {
  subscribedTypes: async (tx) => ((await hasLinks(tx)) ? ['prompt.changed', 'transfer.ended'] : []),
  handle: async ({ ctx: { now }, tx, changes }, events) => {
    const changed = new Set(events.map(promptIn).filter((about) => about !== null));
    for (const about of inBatches(changed)) {
      const messages = await tx
        .selectFrom('direct_messages')
        .select('id')
        .where('about', 'in', about)
        .execute();
      const due_at = new Date(now().getTime() + EDIT_DELAY_MS);
      await addJobs(
        { tx, changes },
        EDIT_JOB,
        messages.map(({ id }) => ({ key: String(id), due_at, payload: null })),
      );
    }
  },
};

export const forgetDirectMessages = deleteOld({
  kind: 'direct.forget',
  table: 'direct_messages',
  column: 'until',
  key: 'id',
  // To edit a message as soon as this server is up and Discord answers again.
  kept_days: 7,
});
