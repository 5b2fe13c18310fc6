import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { aKey, changeUnheard } from '../dev/test/builders.ts';
import { head } from '../dev/test/raw-request.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import { encodeSnapshotAnswer, fillAnswer, type Packet } from './encoding.ts';
import { createSnapshotsInFlight, snapshotsInFlight } from './snapshots-in-flight.ts';
import { unreadSyncs } from './test/raw-client.ts';

const aConnection = () => ({ destroy: vi.fn<() => never>() });

it('counts each snapshot once, and beyond the limit destroys the connections that take the oldest', () => {
  const inFlight = createSnapshotsInFlight(25);
  const first = Buffer.alloc(10);
  const second = Buffer.alloc(10);
  const third = Buffer.alloc(10);
  const slow = [aConnection(), aConnection(), aConnection(), aConnection()];
  const taken = [first, first, second, third].map((bytes, at) =>
    inFlight.add(bytes, slow[at] ?? aConnection()),
  );
  expect(inFlight.bytes()).toBe(20);
  expect(slow.map(({ destroy }) => destroy.mock.calls.length)).toEqual([1, 1, 0, 0]);
  // Their close says so once more.
  for (const done of taken) {
    done();
    done();
  }
  expect(inFlight.bytes()).toBe(0);
});

it('sends a snapshot that is longer than the limit alone', () => {
  const inFlight = createSnapshotsInFlight(5);
  const before = aConnection();
  const reader = aConnection();
  inFlight.add(Buffer.alloc(3), before);
  const done = inFlight.add(Buffer.alloc(10), reader);
  expect([
    before.destroy.mock.calls.length,
    reader.destroy.mock.calls.length,
    inFlight.bytes(),
  ]).toEqual([1, 0, 10]);
  done();
  expect(inFlight.bytes()).toBe(0);
});

it('counts snapshots sent live and over HTTP, until received or disconnected', async () => {
  const app = await createTestApp('sqlite');
  const { key_value } = await aKey(app);
  const MEGABYTES = 12;
  for (let nth = 0; nth < MEGABYTES; nth += 1) {
    const row = { name: `${nth}`.padEnd(1_000_000, '.'), name_key: `big ${nth}` };
    await changeUnheard(app, (tx) => tx.insertInto('categories').values(row).execute());
  }
  const live = await unreadSyncs(app.url, { access_key: key_value }, 1);
  await expect.poll(() => snapshotsInFlight.bytes()).toBeGreaterThan(MEGABYTES * 1_000_000);
  const http = connect(Number(new URL(app.url).port), '127.0.0.1');
  http.pause();
  http.write(head('GET /api/snapshot', 'Host: board', `X-Access-Key: ${key_value}`));
  await expect.poll(() => snapshotsInFlight.bytes()).toBeGreaterThan(2 * MEGABYTES * 1_000_000);
  live.socket.destroy();
  await expect.poll(() => snapshotsInFlight.bytes()).toBeLessThan(1.5 * MEGABYTES * 1_000_000);
  http.resume();
  await expect.poll(() => snapshotsInFlight.bytes()).toBe(0);
  http.destroy();
});

describe('the answer to sync', () => {
  const board = { clock: 7, epoch: 'a', toJson: vi.fn(async () => '{"claim":[]}') };

  it('is held only as the counted bytes, in every kind of packet', async () => {
    const answer = await encodeSnapshotAnswer(board, 'build');
    const packets = ['430[null]', '431[null]'].map((data): Packet => ({ data, options: {} }));
    for (const packet of packets) fillAnswer(packet, answer);
    expect(packets.map(({ data }) => data)).toEqual(['430[null]', '431[null]']);
    expect(packets.map(({ options }) => options.wsPreEncodedFrame?.[1])).toEqual([answer, answer]);
    expect(packets.every(({ options }) => options.wsPreEncodedFrame?.[1] === answer)).toBe(true);
    const [head, body] = packets[0]?.options.wsPreEncodedFrame ?? [];
    expect(`${head?.subarray(2)}${body}`).toBe(
      '4430[{"clock":7,"epoch":"a","build":"build","snapshot":{"claim":[]}}]',
    );
  });

  it('a failed encoding is repeated for the next request', async () => {
    const again = { ...board };
    board.toJson.mockRejectedValueOnce(new Error('no memory'));
    await expect(encodeSnapshotAnswer(again, null)).rejects.toThrow('no memory');
    expect(String(await encodeSnapshotAnswer(again, null))).toContain('"claim"');
  });
});
