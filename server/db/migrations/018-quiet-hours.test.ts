import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { aClaim, aKey, aWait, changeUnheard, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp } from '../../dev/test/test-app.ts';
import { up } from './018-quiet-hours.ts';

it.each(databases)('who waited before quiet hours were heeded is passed over nowhere, and waits by themselves, on %s', async (dialect) => {
  const app = await createTestApp(dialect);
  const [holder, key] = [await aKey(app), await aKey(app)];
  await submitted(app, holder, aClaim(holder));
  const { id } = await aWait(app, key);
  await changeUnheard(app, async (tx) => {
    await sql`drop index waits_quiet`.execute(tx);
    for (const column of ['quiet_until', 'is_by_admin']) await sql`alter table waits drop column ${sql.ref(column)}`.execute(tx);
  });
  await changeUnheard(app, up);
  expect(await app.ctx.db.selectFrom('waits').select(['id', 'quiet_until', 'is_by_admin']).execute()).toEqual([
    { id, quiet_until: null, is_by_admin: 0 },
  ]);
});
