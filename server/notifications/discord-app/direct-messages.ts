import { z } from 'zod';
import type { DomainEvent } from '../../../shared/schemas/domain-events.ts';
import { inBatches } from '../../db/database.ts';
import type { EventListener } from '../../db/unit-of-work.ts';
import { deleteOld, type OutsideKind, type StoreOutcome } from '../../jobs/job-kind.ts';
import { addJobs, addMissingJob } from '../../jobs/job-store.ts';
import { backoffEnd } from '../notices/medium.ts';
import { notice } from '../notices/notice.ts';
import { preferencesOf } from '../notices/preferences.ts';
import { CALLS_OUTSIDE, refresh } from '../notices/send.ts';
import type { Sending } from '../outbound/post.ts';
import { findApp } from './app.ts';
import { backOff, failureOf, MAX_RUNNING, NO_MENTIONS, pathOf, sameApp } from './direct-calls.ts';
import { findRecipient, hasLinks } from './direct-recipients.ts';
import { endedMessage, messageOf } from './direct-text.ts';
import { callDiscord } from './discord-api.ts';

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
  subscribedTypes: async (_, tx) =>
    (await hasLinks(tx)) ? ['prompt.changed', 'transfer.ended'] : [],
  handle: async (unit, events) => {
    const changed = new Set(events.map(promptIn).filter((about) => about !== null));
    for (const about of inBatches(changed)) {
      const messages = await unit.tx
        .selectFrom('direct_messages')
        .select('id')
        .where('about', 'in', about)
        .execute();
      const due_at = new Date(unit.at.getTime() + EDIT_DELAY_MS);
      await addJobs(
        unit,
        EDIT_JOB,
        messages.map(({ id }) => ({ key: String(id), due_at, payload: null })),
      );
    }
  },
};

/** Edits a message: its question is answered or over, or has another deadline. */
export const editDirect: OutsideKind<null, Sending> = {
  ...CALLS_OUTSIDE,
  ...EDIT_JOB,
  max_running: MAX_RUNNING,
  run: async (ctx, { key }, { signal }) => {
    const { db, now } = ctx;
    const row = await db
      .selectFrom('direct_messages')
      .selectAll()
      .where('id', '=', Number(key))
      .executeTakeFirst();
    if (!row) return undefined;
    const forget: StoreOutcome = async ({ tx }) =>
      void (await tx.deleteFrom('direct_messages').where('id', '=', row.id).execute());
    const app = await findApp(db);
    const to = await findRecipient(db, row.access_key_id);
    const question = notice.safeParse(JSON.parse(row.notice)).data;
    if (!app || !to || !question) return forget;
    // Until the row is deleted by its age.
    const editAt =
      (at: string): StoreOutcome =>
      (unit) =>
        addMissingJob(unit, EDIT_JOB, { key, due_at: new Date(at), payload: null });
    const backoff = backoffEnd(app, now());
    if (backoff !== null && backoff > now().toISOString()) return editAt(backoff);
    const wanted = (await preferencesOf(ctx.env, db, [to.character_key]))(to.character_key);
    const current = await refresh(db, question);
    const about = { language: row.language, wanted };
    const message = current
      ? await messageOf(ctx, { ...about, notice: current })
      : await endedMessage(ctx, { ...about, notice: question });
    const edited = await callDiscord(ctx, {
      method: 'PATCH',
      path: pathOf(row),
      bot_token: app.bot_token,
      body: { ...message, ...NO_MENTIONS },
      signal,
    });
    if (edited.ok) {
      if (!current) return forget;
      const values = { notice: JSON.stringify(current), until: current.until };
      const edit: StoreOutcome = async ({ tx }) =>
        void (await tx
          .updateTable('direct_messages')
          .set(values)
          .where('id', '=', row.id)
          .execute());
      return edit;
    }
    signal.throwIfAborted();
    const failed = failureOf(edited);
    // The user deleted the message, or closed the channel.
    if (failed.type !== 'again') return forget;
    const failure = backOff(app, failed, now());
    return async (unit) => {
      await sameApp(unit.tx, app).set(failure).execute();
      await editAt(failure.backoff_until)(unit);
    };
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
