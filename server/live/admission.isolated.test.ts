import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseAway } from '../db/errors.ts';
import { connected, type LiveSocket } from '../dev/test/board-watcher.ts';
import { aKey, changeUnheard, manyKeys } from '../dev/test/builders.ts';
import { databases, usualDatabases } from '../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { connect, ended } from '../dev/test/watcher.ts';
import { changeKeysInBulk } from '../members/access-keys.ts';
import { MAX_CONNECTIONS } from './admission.ts';
import { SWEEP_MS } from './connection-limits.ts';

const tokenOf = (app: TestApp): string => app.admin.Authorization.replace('Bearer ', '');

describe('connections of one key or admin', () => {
  it('are fifty at most: one more is refused with a code, and admitted when another one has closed', async () => {
    const app = await createTestApp('sqlite');
    const key = await aKey(app);
    const other = await aKey(app);
    for (const auth of [{ access_key: key.key_value }, { admin_token: tokenOf(app) }]) {
      const sockets: LiveSocket[] = Array.from({ length: MAX_CONNECTIONS + 1 }, () =>
        connect(app.url, auth),
      );
      const opened = await Promise.allSettled(sockets.map(connected));
      const refused = opened.flatMap((one) =>
        one.status === 'rejected' ? [one.reason.data.code] : [],
      );
      expect(refused).toEqual(['live.tooManyConnections']);
      const first = sockets.find((socket) => socket.connected);
      await connected(connect(app.url, { access_key: other.key_value }));
      first?.disconnect();
      await expect
        .poll(() =>
          connected(connect(app.url, auth)).then(
            () => 'in',
            () => 'refused',
          ),
        )
        .toBe('in');
    }
  });
});

it('a handshake while the database is away gets that error, and is no failure of ours', async () => {
  const app = await createTestApp('sqlite');
  const key = await aKey(app);
  vi.spyOn(app.ctx.authenticator, 'authenticate').mockRejectedValue(new DatabaseAway('silence'));
  const refused = connected(connect(app.url, { access_key: key.key_value }));
  await expect(refused).rejects.toMatchObject({ data: { code: 'server.databaseAway' } });
  const { values } = await app.ctx.metrics.failures.get();
  expect(values.filter(({ labels }) => labels.where === 'live')).toEqual([]);
});

describe.each(usualDatabases)(
  'connections of keys that were revoked by the hundred on %s',
  (dialect) => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
    afterEach(() => void vi.useRealTimers());

    it('end, also where the database could not say at once which they are', async () => {
      const app = await createTestApp(dialect);
      const keys = await manyKeys(app, 101);
      const socket = connect(app.url, { access_key: keys[0]?.key_value ?? '' });
      await connected(socket);
      const { db } = app.ctx;
      const away = db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async () => {
          throw new Error('away');
        },
      });
      const failed = async () =>
        (await app.ctx.metrics.failures.get()).values.some(({ labels }) => labels.where === 'live');
      const reason = ended(socket);
      const ids = keys.map(({ id }) => id);
      // The writes use other connections.
      app.ctx.bus.listen(() => Object.assign(app.ctx, { db }));
      const admin = {
        role: 'admin',
        admin_id: 1,
        admin_role: 'owner',
        username: 'admin',
        token_hash: '',
      } as const;
      Object.assign(app.ctx, { db: away });
      await changeKeysInBulk(app.ctx, admin, { ids, command: { do: 'revoke' } });
      await expect.poll(failed).toBe(true);
      vi.advanceTimersByTime(SWEEP_MS);
      expect((await reason).code).toBe('session.keyRevoked');
    });
  },
);

describe.each(databases)('an admin’s live connection on %s', (dialect) => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it('ends with its session: when that expires, and when its row is deleted', async () => {
    const app = await createTestApp(dialect);
    const login = async (): Promise<string> => {
      const { body } = await app.api
        .post('/login')
        .send({ username: 'admin', password: 'hunting-at-night' })
        .expect(200);
      return body.data.token;
    };
    const key = await aKey(app);
    const [expiring, removed, staying] = await Promise.all([login(), login(), login()]);
    const sockets = [expiring, removed, staying].map((admin_token) =>
      connect(app.url, { admin_token }),
    );
    const member = connect(app.url, { access_key: key.key_value });
    await Promise.all([...sockets, member].map(connected));
    const [first, second, third] = sockets;
    if (!first || !second || !third) throw new Error('three sockets');

    const { hashToken } = await import('../auth/sessions.ts');
    const reasons = [ended(first), ended(second)];
    await changeUnheard(app, async (tx) => {
      const expires_at = app.ctx.now().toISOString();
      await tx
        .updateTable('admin_sessions')
        .set({ expires_at })
        .where('token_hash', '=', hashToken(expiring))
        .execute();
      await tx.deleteFrom('admin_sessions').where('token_hash', '=', hashToken(removed)).execute();
    });
    vi.advanceTimersByTime(SWEEP_MS);
    expect((await Promise.all(reasons)).map(({ code }) => code)).toEqual([
      'session.expired',
      'session.expired',
    ]);
    await expect
      .poll(() => [first.connected, second.connected, third.connected, member.connected])
      .toEqual([false, false, true, true]);
  });
});
