import { connect as connectTo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import { connected } from '../dev/test/board-watcher.ts';
import { aKey, changeUnheard } from '../dev/test/builders.ts';
import { head } from '../dev/test/raw-request.ts';
import { createSuiteApp, createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { connect } from '../dev/test/watcher.ts';
import { MAX_PACKETS, MAX_UNSENT, SWEEP_MS, type Violation } from './connection-limits.ts';
import { snapshotsInFlight } from './snapshots-in-flight.ts';
import { MAX_SNAPSHOTS, MAX_SYNCS } from './sync.ts';
import { type RawClient, rawClient, rawConnection, unreadSyncs } from './test/raw-client.ts';

const MEGABYTE = 1_000_000;

/** A board whose snapshot is longer than the socket buffers of a connection that is not read. */
async function aBigBoard(app: TestApp, megabytes = 12): Promise<void> {
  const rows = Array.from({ length: megabytes }, (_, at) => ({
    name: `${at}`.padEnd(MEGABYTE, '.'),
    name_key: `big ${at}`,
  }));
  for (const row of rows)
    await changeUnheard(app, (tx) => tx.insertInto('categories').values(row).execute());
}

async function metric(
  app: TestApp,
  name: string,
  why?: Violation | 'syncs' | 'snapshots',
): Promise<number> {
  const found = await app.ctx.metrics.registry.getSingleMetric(name)?.get();
  const values =
    found?.values.filter(({ labels }) => why === undefined || labels.why === why) ?? [];
  return values.reduce((sum, { value }) => sum + value, 0);
}
const unsent = (app: TestApp): Promise<number> => metric(app, 'claimboard_live_unsent_bytes');
const disconnects = (app: TestApp, why: Violation | 'syncs' | 'snapshots'): Promise<number> =>
  metric(app, 'claimboard_live_disconnects_total', why);
const watching = (app: TestApp): Promise<number> => metric(app, 'claimboard_watchers');

const sweeps = (times: number): void => void vi.advanceTimersByTime(times * SWEEP_MS);
const authOf = ({ key_value }: AccessKey): { access_key: string } => ({ access_key: key_value });
/** Commits a change of one megabyte that is on no screen. */
async function tellMuch(app: TestApp): Promise<void> {
  const clock = app.ctx.bus.clock() + 1;
  const change = {
    op: 'put',
    kind: 'category',
    record: { id: 1, name: '.'.repeat(MEGABYTE) },
  } as const;
  app.ctx.bus.offer({ clock, at: '', changes: [{ audience: 'all', change }] });
}

// Only the sweeps use the mocked clock: everything else runs in real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

describe('a connection that does not read', () => {
  it('and requests the board six hundred times is sent it once, and is soon disconnected', async () => {
    const app = await createTestApp('sqlite');
    const key = await aKey(app);
    await aBigBoard(app);
    await unreadSyncs(app.url, authOf(key), 600);
    await expect.poll(() => disconnects(app, 'syncs')).toBe(1);
    expect(await watching(app)).toBe(0);
    await expect.poll(() => unsent(app)).toBe(0);
    await app.api.get('/config').expect(200);
  });

  it('has some time to take a snapshot of any length, and no more', async () => {
    const app = await createTestApp('sqlite');
    const key = await aKey(app);
    await aBigBoard(app);
    await unreadSyncs(app.url, authOf(key), 1);
    await expect.poll(() => unsent(app)).toBeGreaterThan(12 * MEGABYTE);
    sweeps(13);
    expect(await watching(app)).toBe(1);
    sweeps(3);
    await expect.poll(() => watching(app)).toBe(0);
    expect(await disconnects(app, 'slow')).toBe(1);
    expect(await unsent(app)).toBe(0);
  });

  it('and takes the oldest of too many snapshots is closed, counted and logged, live and over HTTP', async () => {
    const app = await createTestApp('sqlite');
    const key = await aKey(app);
    await aBigBoard(app);
    const info = vi.spyOn(app.ctx.log, 'info');
    await unreadSyncs(app.url, authOf(key), 1);
    await expect.poll(() => unsent(app)).toBeGreaterThan(12 * MEGABYTE);
    const download = connectTo(Number(new URL(app.url).port), '127.0.0.1');
    download.on('error', () => {});
    download.pause();
    download.write(head('GET /api/snapshot', 'Host: board', `X-Access-Key: ${key.key_value}`));
    await expect.poll(() => snapshotsInFlight.bytes()).toBeGreaterThan(24 * MEGABYTE);
    const done = snapshotsInFlight.add(Buffer.alloc(256 * 1024 * 1024), { destroy: () => {} });
    onTestFinished(done);
    await expect.poll(() => disconnects(app, 'memory')).toBe(2);
    await expect.poll(() => watching(app)).toBe(0);
    await expect
      .poll(() => info.mock.calls.filter(([, message]) => /was closed/.test(String(message))))
      .toHaveLength(2);
  });

  it('is closed when more than four megabytes wait for it, of any kind', async () => {
    const app = await createTestApp('sqlite');
    const client = await rawClient(app.url, authOf(await aKey(app)));
    client.send('420["sync",null]');
    await client.hears((text) => text.startsWith('430['));
    client.stopReading();
    let most = 0;
    for (let round = 0; round < 60 && (await disconnects(app, 'unsent')) === 0; round += 1) {
      await tellMuch(app);
      most = Math.max(most, await unsent(app));
      await new Promise(setImmediate);
    }
    expect(await disconnects(app, 'unsent')).toBe(1);
    expect(most).toBeLessThan(MAX_UNSENT + 2 * MEGABYTE);
    await expect.poll(() => watching(app)).toBe(0);
  });
});

describe('a connection that reads', () => {
  it('is sent a snapshot of twelve megabytes, and the changes meanwhile', async () => {
    const app = await createTestApp('sqlite');
    const key = await aKey(app);
    await aBigBoard(app);
    const member = connect(app.url, authOf(key));
    await connected(member);
    const message = new Promise((resolve) => member.once('changes', resolve));
    const answering = member.emitWithAck('sync', null);
    await app.api.put('/admin/config').set(app.admin).send({ guild_name: 'Thais' }).expect(200);
    const answer = await answering;
    expect(
      'snapshot' in answer &&
        answer.snapshot.category?.filter(({ name }) => name.length === MEGABYTE),
    ).toHaveLength(12);
    expect(await message).toMatchObject({ changes: expect.any(Array) });
    await expect.poll(() => unsent(app)).toBe(0);
  });

  it('that asks again before it has the answer is answered once it has taken that', async () => {
    const app = await createTestApp('sqlite');
    const key = await aKey(app);
    await aBigBoard(app);
    const client = await unreadSyncs(app.url, authOf(key), 1);
    await expect.poll(() => unsent(app)).toBeGreaterThan(12 * MEGABYTE);
    const before = await unsent(app);
    client.send('421["sync",null]', `422["sync",${app.ctx.bus.clock()}]`);
    await app.api.get('/config').expect(200);
    expect(await unsent(app)).toBeLessThan(before + MEGABYTE);
    client.readAgain();
    await client.hears((text) => text.startsWith('432['));
    const answered = client.texts.flatMap((text) => /^43(\d+)\[/.exec(text)?.[1] ?? []);
    expect(answered).toEqual(['0', '1', '2']);
  });

  it('that asks too often is sent away, and welcome again', async () => {
    const app = await createTestApp('sqlite');
    const key = await aKey(app);
    const member = connect(app.url, authOf(key));
    await connected(member);
    const clock = app.ctx.bus.clock();
    for (let at = 0; at < MAX_SYNCS; at += 1)
      expect(await member.emitWithAck('sync', clock)).toMatchObject({ clock });
    const gone = new Promise((resolve) => member.once('disconnect', resolve));
    member.emit('sync', clock, () => {});
    expect(await gone).toBe('io server disconnect');
    const again = connect(app.url, authOf(key));
    await connected(again);
    expect(await again.emitWithAck('sync', clock)).toMatchObject({ clock });
  });

  it('that asks for the whole board again and again is sent away, and welcome again', async () => {
    const app = await createTestApp('sqlite');
    const key = await aKey(app);
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const client = await rawClient(app.url, authOf(key));
    for (let at = 0; at < MAX_SNAPSHOTS; at += 1) {
      client.send(`42${at}["sync",null]`);
      await client.hears((text) => text.startsWith(`43${at}[`));
      vi.advanceTimersByTime(2_000);
    }
    client.send(`4299["sync",${app.ctx.bus.clock()}]`);
    await client.hears((text) => text.startsWith('4399['));
    vi.advanceTimersByTime(2_000);
    client.send('42100["sync",null]');
    await client.closed;
    expect(await disconnects(app, 'snapshots')).toBe(1);
    const again = await rawClient(app.url, authOf(key));
    again.send('421["sync",null]');
    await again.hears((text) => text.startsWith('431['));
  });

  it.each([
    ['pings', '2', null],
    ['events that nobody knows', '42["nothing",1]', 'packets'],
    ['questions without an answer', '42["sync"]', 'syncs'],
    ['answers that nobody asked for', '437[]', 'packets'],
    ['places that do not exist', '40/nowhere,', 'packets'],
  ] as const)('but only talks is cut off: %s', async (_, text, why) => {
    const app = await createTestApp('sqlite');
    const client = await rawClient(app.url, authOf(await aKey(app)));
    client.send(...Array.from({ length: MAX_PACKETS * 3 }, () => text));
    await client.closed;
    await expect.poll(() => watching(app)).toBe(0);
    // Only servers send pings: Engine.IO closes the connection at a client's ping.
    if (why) expect(await disconnects(app, why)).toBe(1);
    await app.api.get('/config').expect(200);
  });
});

describe('a connection without a credential', () => {
  it('is one of so many of its address, which behind a proxy only the header names', async () => {
    const env = { TRUST_PROXY: '1', BOARD_VISIBILITY: 'public' };
    const app = await createTestApp('sqlite', {
      env,
      serve: { bounds: { connections_per_address: 3 } },
    });
    const from = (address: string) => rawConnection(app.url, [`X-Forwarded-For: ${address}`]);
    const [first, ...others] = [
      await from('203.0.113.7'),
      await from('203.0.113.7'),
      await from('203.0.113.7'),
    ];
    const stranger = await from('198.51.100.9');
    await (await from('203.0.113.7')).closed;
    expect(await disconnects(app, 'address')).toBe(1);
    for (const client of [...others, stranger]) {
      client.send('40');
      await client.hears((text) => text.startsWith('40{'));
    }
    first?.socket.destroy();
    await expect.poll(() => watching(app)).toBe(3);
    const again = async (): Promise<boolean> => {
      const client = await from('203.0.113.7');
      client.send('40');
      return Promise.race([
        client.hears((text) => text.startsWith('40{')).then(() => true),
        client.closed.then(() => false),
      ]);
    };
    await expect.poll(again).toBe(true);
  });

  it.each(['127.0.0.1', '::1'])('of this machine itself (%s) has no limit', async (address) => {
    const app = await createTestApp('sqlite', {
      env: { TRUST_PROXY: '1' },
      serve: { bounds: { connections_per_address: 1 } },
    });
    const clients = [1, 2, 3].map(() => rawConnection(app.url, [`X-Forwarded-For: ${address}`]));
    for (const client of await Promise.all(clients))
      await client.hears((text) => text.startsWith('0{'));
    expect(await disconnects(app, 'address')).toBe(0);
  });

  it('is closed after some time', async () => {
    const app = await createTestApp('sqlite');
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const client = await rawConnection(app.url);
    await client.hears((text) => text.startsWith('0{'));
    vi.advanceTimersByTime(15_000);
    await client.closed;
  });

  it('may try one: a client that tries again on the connection, or several at once, is disconnected', async () => {
    const app = await createTestApp('sqlite');
    const key = await aKey(app);
    const client = await rawConnection(app.url);
    client.send(...Array.from({ length: 100 }, () => `40${JSON.stringify(authOf(key))}`));
    await client.closed;
    expect(client.texts.filter((text) => text.startsWith('40{')).length).toBeLessThan(2);
    await expect.poll(() => watching(app)).toBe(0);
  });
});

describe('a server that is sent nonsense without a credential', () => {
  const app = createSuiteApp('sqlite');
  const nonsense = [
    'x',
    '4',
    '45-["x"]',
    '451-["sync",{"_placeholder":true,"num":0}]',
    '40[]',
    `4${'0'.repeat(20_000)}`,
  ];

  it.each(nonsense.map((text) => [text.slice(0, 20), text]))('survives %s', async (_, text) => {
    const client = await rawConnection(app.url);
    client.send(text, text);
    client.socket.end();
    await client.closed;
    await app.api.get('/config').expect(200);
  });
});

describe('a connection that sends attachments', () => {
  const violations: Record<string, (client: RawClient) => void> = {
    'an event and its attachment in one write': (client) => {
      client.send('451-["choosing",{"_placeholder":true,"num":0}]', {
        bytes: Buffer.from([1, 2, 3]),
      });
    },
    'an event that asks for an answer': (client) =>
      client.send('451-7["sync",{"_placeholder":true,"num":0}]', { bytes: Buffer.alloc(8) }),
    'an event whose attachments never come': (client) =>
      client.send('45999999-["choosing",{"_placeholder":true,"num":0}]'),
    'an answer nobody asked for': (client) => client.send('461-1[{"_placeholder":true,"num":0}]'),
    'bytes without an event': (client) => client.send({ bytes: Buffer.from([1, 2, 3]) }),
    'bytes as text': (client) => client.send('bAQID'),
  };

  it.each(Object.entries(violations))(
    'is closed before anything looks at them: %s',
    async (_, send) => {
      const app = await createTestApp('sqlite');
      const key = await aKey(app);
      const error = vi.spyOn(app.ctx.log, 'error');
      const info = vi.spyOn(app.ctx.log, 'info');
      const TIMES = 5;
      for (let time = 0; time < TIMES; time += 1) {
        const client = await rawClient(app.url, authOf(key));
        send(client);
        await client.closed;
      }
      await expect.poll(() => watching(app)).toBe(0);
      expect(await disconnects(app, 'binary')).toBe(TIMES);
      expect(error).not.toHaveBeenCalled();
      const logged = () =>
        info.mock.calls.filter(([of]) => typeof of === 'object' && of !== null && 'why' in of);
      await expect
        .poll(logged)
        .toEqual([
          [
            { why: 'binary', left_out: 0, address_hash: expect.stringMatching(/^[\w-]{12}$/) },
            'a live connection exceeded its limits and was closed',
          ],
        ]);
      expect((await app.ctx.metrics.failures.get()).values).toEqual([]);
    },
  );
});
