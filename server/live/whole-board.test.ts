import { describe, expect, it } from 'vitest';
import { wholeBoard } from '../../shared/schemas/whole-board.ts';
import { aClaim, aKey, aSpot, asMember, submitted } from '../test/builders.ts';
import { databases } from '../test/databases.ts';
import { expectNoTick, expectRefusal } from '../test/expect-refusal.ts';
import { createSuiteApp, NOW } from '../test/test-app.ts';
import { Watcher } from '../test/watcher.ts';

describe.each(databases)('the whole board by a call of its own on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const tokenOf = (): string => app.admin.Authorization.replace('Bearer ', '');

  it('is what the live connection would send, to a member and to an admin', async () => {
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    for (const [headers, auth] of [
      [asMember(key), { access_key: key.key_value }],
      [app.admin, { admin_token: tokenOf() }],
    ] as const) {
      const { body, headers: answered } = await expectNoTick(app, () =>
        app.api
          .get('/snapshot')
          .set({ ...headers, 'Accept-Encoding': 'gzip' })
          .expect(200),
      );
      const board = wholeBoard.parse(body.data);
      const watcher = new Watcher(app.url, auth);
      await watcher.connect();
      expect(board.clock).toBe(watcher.board.clock);
      expect(board.epoch).toBe(app.ctx.bus.epoch);
      for (const kind of ['claim', 'respawn', 'event', 'access_key', 'activity'] as const) {
        expect(new Map((board.snapshot[kind] ?? []).map((record) => [String(record.id), record]))).toEqual(watcher.records(kind));
      }
      expect(answered['content-encoding']).toBe('gzip');
    }
  });

  it('is written anew after a change, and plain for those who cannot read gzip', async () => {
    const key = await aKey(app);
    const read = async () =>
      wholeBoard.parse((await app.api.get('/snapshot').set(asMember(key)).set('Accept-Encoding', 'identity').expect(200)).body.data);
    const before = await read();
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    const after = await read();
    expect(after.clock).toBe(app.ctx.bus.clock());
    expect(before.clock).toBeLessThan(after.clock);
    expect(after.snapshot.claim.map(({ id }) => id)).toContain(claim?.id);
    expect(before.snapshot.claim.map(({ id }) => id)).not.toContain(claim?.id);
  });

  it('is the same for everybody at one clock, whatever time it is when it is read', async () => {
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    const read = async (as: Record<string, string>) => {
      const { clock, snapshot } = wholeBoard.parse((await app.api.get('/snapshot').set(as).expect(200)).body.data);
      return { clock, claims: snapshot.claim.map(({ id }) => id) };
    };
    // Over the server save, and back again before the new day has begun on the board.
    app.setNow('2026-11-22T09:00:00.000Z');
    const ahead = await read(asMember(key));
    app.setNow(NOW);
    const back = await read(app.admin);
    // Had the day begun in between, the clock would have moved.
    expect(ahead.clock === back.clock ? ahead.claims : back.claims).toEqual(back.claims);
  });

  it('is refused to visitors, and holds nothing of the admins’ for members', async () => {
    expectRefusal(await app.api.get('/snapshot'), 401, 'session.required', 'Access denied', {});
    const { body } = await app.api.get('/snapshot').set(asMember(await aKey(app)));
    expect(Object.keys(body.data.snapshot).sort()).toEqual([
      'category',
      'claim',
      'config',
      'event',
      'member_type',
      'occupancy',
      'respawn',
      'wait',
    ]);
  });
});
