import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { aDestination, changeUnheard } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { answering, aReceiver } from '../../dev/test/receiver.ts';
import { createTestApp, NOW } from '../../dev/test/test-app.ts';
import { AT_HOME, at, later, recordOf, switchSubmission } from '../../notifications/channels/test/sending.ts';
import { up } from './019-late-news.ts';

describe.each(databases)('a destination from before it was known since when it hears what, on %s', (dialect) => {
  it('is told all that waits for it, and tried again by its schedule', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const mood = { answer: answering(500) };
    const receiver = await aReceiver((...asked) => mood.answer(...asked));
    const made = await aDestination(app, { url: receiver.url, events: ['submission.closed', 'submission.opened'] });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    await changeUnheard(app, async (tx) => {
      const added = [
        ['destinations', 'heard_after'],
        ['destinations', 'asked_to_wait'],
        ['jobs', 'via'],
      ] as const;
      for (const [table, column] of added) await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(tx);
      await up(tx);
    });
    await switchSubmission(app, 1);
    await at(app, later(NOW, 6));
    expect(await recordOf(app, made)).toMatchObject({ waiting: 2, next_try_at: later(NOW, 306) });
    mood.answer = answering(204);
    await at(app, later(NOW, 306));
    expect(await recordOf(app, made)).toMatchObject({ waiting: 0, last_error: null });
    expect(receiver.received).toHaveLength(4);
  });
});
