import { describe, expect, it } from 'vitest';
import { aKey, asMember } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick } from '../../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { vapidKeys } from './web-push.ts';

const keyOf = async (app: TestApp, headers: object): Promise<string> =>
  (
    await app.api
      .get('/push/key')
      .set({ ...headers })
      .expect(200)
  ).body.data.public_key;

describe.each(databases)('the VAPID key of the server on %s', (dialect) => {
  it('is made when it is first asked for, once, however many ask, and no clock moves', async () => {
    const app = await createTestApp(dialect);
    const { db } = app.ctx;
    expect(
      await db.selectFrom('secrets').select('name').where('name', '=', 'vapid').execute(),
    ).toEqual([]);
    const member = asMember(await aKey(app));
    await expectNoTick(app, async () => {
      const keysSeen = await Promise.all([
        keyOf(app, member),
        keyOf(app, app.admin),
        keyOf(app, member),
      ]);
      expect(new Set(keysSeen).size).toBe(1);
      expect(Buffer.from(keysSeen[0] ?? '', 'base64url')).toHaveLength(65);
      expect(keysSeen[0]).not.toContain(
        JSON.parse(
          (
            await db
              .selectFrom('secrets')
              .select('value')
              .where('name', '=', 'vapid')
              .executeTakeFirstOrThrow()
          ).value,
        ).private_key,
      );
    });
  });

  it('is the same for all servers of a database, also where several make it at once, and after a restart', async () => {
    const app = await createTestApp(dialect);
    // None of them remembers what another one made.
    const servers = Array.from({ length: 4 }, () => vapidKeys({ ...app.ctx, memory: new Map() }));
    const made = await Promise.all(servers.map((read) => read()));
    expect(new Set(made.map(({ private_key }) => private_key)).size).toBe(1);
    expect(await keyOf(app, app.admin)).toBe(made[0]?.public_key);
  });
});
