import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aKey } from '../dev/test/builders.ts';
import { databases, filledDatabase } from '../dev/test/databases.ts';
import { expectRefusal } from '../dev/test/expect-refusal.ts';
import { startServer } from '../dev/test/server-process.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import { readEnv } from '../env.ts';
import type { Db } from './database.ts';
import { openDatabase } from './open-database.ts';

const SENTENCE = 'A newer version of the server is starting. Please try again in a moment.';

/** A newer program's change of the schema, from a separate process. */
const migrateFurther = (db: Db) =>
  sql`insert into kysely_migration (name, timestamp) values ('999-newer', '2027-01-01T00:00:00.000Z')`.execute(
    db,
  );

describe.each(databases)('a server whose database a newer one migrates, on %s', (dialect) => {
  it('writes nothing any more, from that moment on', async () => {
    const app = await createTestApp(dialect);
    const clock = app.ctx.bus.clock();
    await app.ctx.writes.transaction((tx) => migrateFurther(tx));
    const answer = await app.api
      .post('/admin/access-keys')
      .set(app.admin)
      .send({ characterName: 'Late', memberType: 'member' });
    expectRefusal(answer, 503, 'server.outdated', SENTENCE);
    const { value } = await app.ctx.db
      .selectFrom('clock')
      .select('value')
      .executeTakeFirstOrThrow();
    expect([value, await app.ctx.db.selectFrom('access_keys').select('id').execute()]).toEqual([
      clock,
      [],
    ]);
  });

  it('notices it without a write, and refuses all requests', async () => {
    const app = await createTestApp(dialect, { serve: { pulseMs: 20 } });
    await aKey(app);
    await app.ctx.writes.transaction((tx) => migrateFurther(tx));
    await expect.poll(async () => (await app.api.get('/config')).body.code).toBe('server.outdated');
    const ready = await fetch(`${app.url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([503, { code: 'server.outdated' }]);
  });
});

describe('a server whose database a newer one migrates', () => {
  it('ends with one line and a status for its supervisor', async () => {
    const database = await filledDatabase('sqlite');
    onTestFinished(database.drop);
    const server = startServer({ ...database.settings, ADMIN_PASSWORD: 'hunting-at-night' });
    onTestFinished(() => void server.child.kill('SIGKILL'));
    await server.ready;
    const beside = await openDatabase(
      readEnv({ ...database.settings }),
      pino({ level: 'silent' }),
      { beside: true },
    );
    await migrateFurther(beside.writer);
    await beside.close();
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(
      /^Claimboard stops: this database was changed by a newer Claimboard \(999-newer\), which this one cannot read\. Start the newer version here, too\.$/m,
    );
  });
});
