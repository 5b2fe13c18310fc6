import express from 'express';
import supertest from 'supertest';
import { describe, expect, it, vi } from 'vitest';
import type { WholeBoard } from '../../shared/live.ts';
import { connected } from '../dev/test/board-watcher.ts';
import { aClaim, aKey, aSpot, asMember, change, submitted } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, NOW } from '../dev/test/test-app.ts';
import { connect, Watcher } from '../dev/test/watcher.ts';
import { features } from '../features.ts';
import { answerErrors } from '../http/errors.ts';
import { MAX_CATCH_UP } from './bus.ts';
import { recordSourcesOf } from './record-kinds.ts';
import { sendOncePrepared, wholeBoardSchema } from './routes.ts';

const recordSources = recordSourcesOf(features);

const schema = wholeBoardSchema(recordSources);
/** The board in an answer, which must have its documented shape. */
function boardIn({ body }: { body: { data: WholeBoard } }): WholeBoard {
  expect(schema.parse(body.data)).toEqual(body.data);
  return body.data;
}

describe.each(databases)('the board snapshot over HTTP on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const tokenOf = (): string => app.admin.Authorization.replace('Bearer ', '');

  it('is the same as over the live connection, for a member and for an admin', async () => {
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    for (const [headers, auth] of [
      [asMember(key), { access_key: key.key_value }],
      [app.admin, { admin_token: tokenOf() }],
    ] as const) {
      const answer = await expectNoTick(app, () =>
        app.api
          .get('/snapshot')
          .set({ ...headers, 'Accept-Encoding': 'gzip' })
          .expect(200),
      );
      const board = boardIn(answer);
      const watcher = new Watcher(app.url, auth);
      await watcher.connect();
      expect(board.clock).toBe(watcher.board.clock);
      expect(board.epoch).toBe(app.ctx.bus.epoch);
      for (const kind of ['claim', 'respawn', 'event', 'access_key', 'activity'] as const) {
        expect(
          new Map((board.snapshot[kind] ?? []).map((record) => [String(record.id), record])),
        ).toEqual(watcher.records(kind));
      }
      expect(answer.headers['content-encoding']).toBe('gzip');
    }
  });

  it('is encoded again after a change, and uncompressed for clients without gzip', async () => {
    const key = await aKey(app);
    const read = async () =>
      boardIn(
        await app.api
          .get('/snapshot')
          .set(asMember(key))
          .set('Accept-Encoding', 'identity')
          .expect(200),
      );
    const before = await read();
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    const after = await read();
    expect(after.clock).toBe(app.ctx.bus.clock());
    expect(before.clock).toBeLessThan(after.clock);
    expect(after.snapshot.claim.map(({ id }) => id)).toContain(claim?.id);
    expect(before.snapshot.claim.map(({ id }) => id)).not.toContain(claim?.id);
  });

  it('is not sent again by the live connection after many writes that members see nothing of', async () => {
    const key = await aKey(app);
    const read = async () => boardIn(await app.api.get('/snapshot').set(asMember(key)).expect(200));
    await read();
    await Promise.all(Array.from({ length: MAX_CATCH_UP + 1 }, () => change(app, async () => {})));
    const { clock, epoch } = await read();
    const now = app.ctx.bus.clock();
    expect(now - clock).toBeGreaterThan(MAX_CATCH_UP);
    const member = connect(app.url, { access_key: key.key_value });
    await connected(member);
    expect(await member.emitWithAck('sync', clock)).toEqual({ clock: now, epoch, change_sets: [] });
    // After a change that members see, there are too many change sets to send.
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    expect(await member.emitWithAck('sync', clock)).toHaveProperty('snapshot');
    // An admin sees the access key that is made.
    const admin = connect(app.url, { admin_token: tokenOf() });
    await connected(admin);
    await admin.emitWithAck('sync', null);
    const before = app.ctx.bus.clock();
    await aKey(app);
    expect(await admin.emitWithAck('sync', before)).toMatchObject({
      change_sets: [{ clock: before + 1 }],
    });
  });

  it('is the same for all callers at one clock, at any time of day', async () => {
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    const read = async (as: Record<string, string>) => {
      const { clock, snapshot } = boardIn(await app.api.get('/snapshot').set(as).expect(200));
      return { clock, claims: snapshot.claim.map(({ id }) => id) };
    };
    // Past the server save, and back before the board has started the new day.
    app.setNow('2026-11-22T09:00:00.000Z');
    const ahead = await read(asMember(key));
    app.setNow(NOW);
    const back = await read(app.admin);
    // If the day had started in between, the clock would have advanced.
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

it('a failure is answered as plain JSON without the headers of a board, and the next caller is sent the board', async () => {
  const app = await createTestApp('sqlite');
  const taken = await app.ctx.readModel.snapshot('members');
  const write = vi.fn(async () => '"the board"').mockRejectedValueOnce(new Error('disk'));
  const send = sendOncePrepared(write);
  const server = express()
    .get('/', (req, res) => send(app.ctx, { req, res, headers: { ETag: 'W/"a-1"' } }, taken))
    .use(answerErrors(app.ctx));
  const read = (encoding: string) => supertest(server).get('/').set('Accept-Encoding', encoding);
  const failed = await read('gzip');
  expect(failed.body).toMatchObject({ code: 'server.failed' });
  expect(failed.headers).not.toHaveProperty('content-encoding');
  expect(failed.headers.etag).not.toBe('W/"a-1"');
  for (const encoding of ['gzip', 'identity']) {
    const { status, body, headers } = await read(encoding);
    expect([status, body, headers.etag]).toEqual([200, 'the board', 'W/"a-1"']);
    expect(headers['content-encoding']).toBe(encoding === 'gzip' ? 'gzip' : undefined);
  }
  expect(write).toHaveBeenCalledTimes(2);
});
