import { describe, expect, it } from 'vitest';
import type {
  ChosenHours,
  HandshakeAuth,
  PresenceChange,
  PresenceNews,
} from '../../shared/live.ts';
import { connected } from '../dev/test/board-watcher.ts';
import { aClaim, aKey, submitted } from '../dev/test/builders.ts';
import { freshDatabase, usualDatabases } from '../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { connect } from '../dev/test/watcher.ts';
import { MAX_CHOICES_TOLD } from './sockets.ts';

const hours = (hour_start: number): ChosenHours[] => [
  { respawn_id: 1, date: '2026-11-21', hour_start, hour_end: hour_start + 4 },
];
const tokenOf = (app: TestApp): string => app.admin.Authorization.replace('Bearer ', '');

interface Guest {
  socket: ReturnType<typeof connect>;
  changes: (PresenceChange | PresenceNews)[];
  /** Its state of the others' presence, by the protocol. */
  choosers: Map<string, { name: string | null; hour_start: number | undefined }>;
  watching: () => number | null;
}

/** A watcher that follows the presence protocol. */
async function guest({ url }: Pick<TestApp, 'url'>, auth: HandshakeAuth): Promise<Guest> {
  const socket = connect(url, auth);
  const changes: Guest['changes'] = [];
  const choosers: Guest['choosers'] = new Map();
  let watching: number | null = null;
  const hear = (change: PresenceChange): void => {
    if (change.op === 'several') {
      for (const news of change.news) hear(news);
      return;
    }
    changes.push(change);
    if (change.op === 'state') choosers.clear();
    if (change.op === 'state' || change.op === 'watching') watching = change.watching;
    const here =
      change.op === 'state' ? change.choosers : change.op === 'put' ? [change.chooser] : [];
    for (const { id, name, choices } of here)
      choosers.set(id, { name, hour_start: choices[0]?.hour_start });
    if (change.op === 'remove') choosers.delete(change.id);
  };
  socket.on('presence', hear);
  await connected(socket);
  await socket.emitWithAck('sync', null);
  // The number of watchers is sent to connected clients, also before the state is.
  await expect.poll(() => changes.map(({ op }) => op)).toContain('state');
  return { socket, changes, choosers, watching: () => watching };
}

const seen = ({ choosers }: Guest): unknown[] => [...choosers.values()];

describe.each(usualDatabases)('presence on %s', (dialect) => {
  it('shows the others who is choosing, by the name of the credential, and nothing of it to themselves', async () => {
    const app = await createTestApp(dialect);
    const riley = await aKey(app);
    const sable = await aKey(app);
    const choosing = await guest(app, { access_key: riley.key_value });
    const watching = await guest(app, { access_key: sable.key_value });
    const clock = app.ctx.bus.clock();
    choosing.socket.emit('choosing', hours(10));
    await expect
      .poll(() => seen(watching))
      .toEqual([{ name: riley.character_name, hour_start: 10 }]);
    // A later client gets it at once, and a second page of the same person gets nothing.
    expect(seen(await guest(app, { admin_token: tokenOf(app) }))).toEqual([
      { name: riley.character_name, hour_start: 10 },
    ]);
    expect(seen(await guest(app, { access_key: riley.key_value }))).toEqual([]);
    expect(seen(choosing)).toEqual([]);
    choosing.socket.emit('choosing', null);
    await expect.poll(() => seen(watching)).toEqual([]);
    expect(app.ctx.bus.clock()).toBe(clock);
  });

  it('blocks nothing: another member claims the hours someone is choosing', async () => {
    const app = await createTestApp(dialect);
    const riley = await aKey(app);
    const sable = await aKey(app);
    const choosing = await guest(app, { access_key: riley.key_value });
    const watching = await guest(app, { access_key: sable.key_value });
    choosing.socket.emit('choosing', hours(10));
    await expect.poll(() => seen(watching)).toHaveLength(1);
    await submitted(app, sable, aClaim(sable));
  });

  it('shows an admin without a name', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const watching = await guest(app, { access_key: key.key_value });
    const admin = await guest(app, { admin_token: tokenOf(app) });
    admin.socket.emit('choosing', hours(3));
    await expect.poll(() => seen(watching)).toEqual([{ name: null, hour_start: 3 }]);
  });

  it('clears a selection when its page closes, and when its character is banned', async () => {
    const app = await createTestApp(dialect);
    const riley = await aKey(app);
    const sable = await aKey(app);
    const bram = await aKey(app);
    const leaving = await guest(app, { access_key: riley.key_value });
    const banned = await guest(app, { access_key: bram.key_value });
    const watching = await guest(app, { access_key: sable.key_value });
    leaving.socket.emit('choosing', hours(10));
    banned.socket.emit('choosing', hours(16));
    await expect.poll(() => seen(watching)).toHaveLength(2);
    leaving.socket.disconnect();
    await expect
      .poll(() => seen(watching))
      .toEqual([{ name: bram.character_name, hour_start: 16 }]);
    await app.api
      .post('/admin/ban-character')
      .set(app.admin)
      .send({ character_name: bram.character_name })
      .expect(200);
    await expect.poll(() => seen(watching)).toEqual([]);
  });

  it('lets visitors of a public board watch and be counted, but not choose', async () => {
    const app = await createTestApp(dialect, { env: { BOARD_VISIBILITY: 'public' } });
    const key = await aKey(app);
    const member = await guest(app, { access_key: key.key_value });
    const visitor = await guest(app, {});
    await expect.poll(member.watching, { timeout: 5_000 }).toBe(2);
    visitor.socket.emit('choosing', hours(10));
    // The answer comes after earlier messages were handled.
    await visitor.socket.emitWithAck('sync', null);
    member.socket.emit('choosing', hours(4));
    await expect.poll(() => seen(visitor)).toHaveLength(1);
    expect(seen(member)).toEqual([]);
  });

  it('ignores invalid messages, and more than a form would send', async () => {
    const app = await createTestApp(dialect);
    const riley = await aKey(app);
    const sable = await aKey(app);
    const choosing = await guest(app, { access_key: riley.key_value });
    const watching = await guest(app, { access_key: sable.key_value });
    const [one] = hours(10);
    let putCount = 0;
    app.ctx.presence.listen(({ op }) => {
      if (op === 'put') putCount += 1;
    });
    const tooMany = Array.from({ length: 11 }, () => one);
    const nonsense = [
      {},
      'all',
      [{ ...one, hour_end: 9 }],
      [{ ...one, date: 'today' }],
      [{ ...one, respawn_id: 0.5 }],
      tooMany,
    ];
    // Below the typed socket, as a foreign client might send it.
    for (const changes of nonsense)
      choosing.socket.io.engine.write(`2${JSON.stringify(['choosing', changes])}`);
    for (let at = 0; at < 200; at += 1) choosing.socket.emit('choosing', hours(at % 20));
    choosing.socket.emit('choosing', null);
    await expect.poll(() => watching.changes.at(-1)?.op).toBe('remove');
    expect(putCount).toBe(20);
    expect(watching.changes.filter((change) => change.op === 'put').length).toBeLessThanOrEqual(20);
    app.setNow('2026-11-21T18:00:06.000Z');
    choosing.socket.emit('choosing', hours(1));
    await expect.poll(() => seen(watching)).toHaveLength(1);
  });
});

describe('a flood over many connections of one key', () => {
  it('is limited per person, not per connection, for choices and withdrawals; nothing of the rest stays', async () => {
    const app = await createTestApp('sqlite');
    const riley = await aKey(app);
    const sable = await aKey(app);
    const bram = await aKey(app);
    const pages = await Promise.all(
      Array.from({ length: 8 }, () => guest(app, { access_key: riley.key_value })),
    );
    const watching = await guest(app, { access_key: sable.key_value });
    const other = await guest(app, { access_key: bram.key_value });
    for (let at = 0; at < 30; at += 1) {
      for (const { socket } of pages)
        socket.emit('choosing', hours(at % 20)).emit('choosing', null);
    }
    // The answer comes after earlier messages were handled.
    await Promise.all(pages.map(({ socket }) => socket.emitWithAck('sync', null)));
    other.socket.emit('choosing', hours(1));
    await expect.poll(() => seen(watching)).toEqual([{ name: bram.character_name, hour_start: 1 }]);
    const changes = watching.changes.filter(
      (change) => change.op === 'put' || change.op === 'remove',
    ).length;
    expect(changes).toBeLessThanOrEqual(2 * MAX_CHOICES_TOLD + 1);
    // The next interval accepts messages again, over any of them.
    app.setNow('2026-11-21T18:00:06.000Z');
    pages[3]?.socket.emit('choosing', hours(5));
    await expect
      .poll(() => seen(watching))
      .toContainEqual({ name: riley.character_name, hour_start: 5 });
  });
});

describe('two servers on one PostgreSQL database', () => {
  it('show each other’s choosers and count each other’s watchers', async () => {
    const on = await freshDatabase('postgres');
    const here = await createTestApp('postgres', { on });
    const there = await createTestApp('postgres', { on });
    const riley = await aKey(here);
    const sable = await aKey(here);
    const choosing = await guest(here, { access_key: riley.key_value });
    const watching = await guest(there, { access_key: sable.key_value });
    await expect.poll(choosing.watching, { timeout: 5_000 }).toBe(2);
    await expect.poll(watching.watching, { timeout: 5_000 }).toBe(2);
    choosing.socket.emit('choosing', hours(10));
    await expect
      .poll(() => seen(watching))
      .toEqual([{ name: riley.character_name, hour_start: 10 }]);
    // A page on the other server chooses last: the first one cannot take that back.
    const second = await guest(there, { access_key: riley.key_value });
    const onlooker = await guest(here, { access_key: sable.key_value });
    second.socket.emit('choosing', hours(16));
    for (const other of [watching, onlooker])
      await expect.poll(() => seen(other)).toMatchObject([{ hour_start: 16 }]);
    choosing.socket.disconnect();
    second.socket.emit('choosing', hours(17));
    for (const other of [watching, onlooker])
      await expect.poll(() => seen(other)).toMatchObject([{ hour_start: 17 }]);
    second.socket.disconnect();
    for (const other of [watching, onlooker]) await expect.poll(() => seen(other)).toEqual([]);
  });
});
