import { describe, expect, it } from 'vitest';
import { connected } from '../../dev/test/board-watcher.ts';
import { aKey } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp } from '../../dev/test/test-app.ts';
import { connect } from '../../dev/test/watcher.ts';

describe.each(databases)('a ban on %s', (dialect) => {
  it('holds by any spelling of its character, also for live connections that are open', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app, "Elder O'Bök");
    const socket = connect(app.url, { access_key: key.key_value });
    await connected(socket);
    await app.api
      .post('/admin/ban-character')
      .set(app.admin)
      .send({ character_name: ' elder\u00a0O’BO\u0308\u200bK' })
      .expect(200);
    await expect.poll(() => socket.connected).toBe(false);
    expect(
      (await app.api.post('/validate-access-key').send({ accessKey: key.key_value })).body.code,
    ).toBe('session.banned');
    const code = await app.api
      .post('/generate-verification-code')
      .send({ character_name: 'Elder O´Bök' });
    expect(code.body.code).toBe('session.banned');
    await app.api
      .post('/admin/unban-character')
      .set(app.admin)
      .send({ character_name: "ELDER O'BÖK" })
      .expect(200);
    await app.api.post('/validate-access-key').send({ accessKey: key.key_value }).expect(200);
  });
});
