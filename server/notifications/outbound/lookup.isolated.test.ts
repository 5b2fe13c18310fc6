import { createSocket, type Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answering, aReceiver, RECEIVER_PEM } from '../../dev/test/receiver.ts';
import { createLookup, createPost } from './post.ts';

const TYPE_A = 1;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;
const TTL_S = 60;

/** A name server on this machine. @param answer the address that it has for every name; null: it knows none; undefined: it is silent */
async function aNameServer(
  answer: string | null | undefined,
): Promise<{ address: string; queryCount: () => number }> {
  let queryCount = 0;
  const server: Socket = createSocket('udp4', (question, { port, address }) => {
    queryCount += 1;
    if (answer !== undefined) server.send(reply(question, answer), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { address: `127.0.0.1:${server.address().port}`, queryCount: () => queryCount };
}

/** A reply to the one question of a message, as RFC 1035 has it. */
function reply(question: Buffer, answer: string | null): Buffer {
  const HEADER = 12;
  const end = question.indexOf(0, HEADER) + 5;
  const isOfV4 = question.readUInt16BE(end - 4) === TYPE_A;
  const has = answer !== null && isOfV4;
  const header = Buffer.alloc(HEADER);
  header.writeUInt16BE(question.readUInt16BE(0), 0);
  header.writeUInt16BE(0x8180 | (answer === null ? NO_SUCH_NAME : NO_ERROR), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(has ? 1 : 0, 6);
  const record = Buffer.from([
    0xc0,
    HEADER,
    0,
    TYPE_A,
    0,
    1,
    0,
    0,
    0,
    TTL_S,
    0,
    4,
    ...(answer ?? '').split('.').map(Number),
  ]);
  return Buffer.concat([header, question.subarray(HEADER, end), ...(has ? [record] : [])]);
}

const lookedUp = (look: LookupFunction, name: string, all: boolean): Promise<unknown> =>
  new Promise((resolve) =>
    look(name, { all }, (error, address, family) =>
      resolve(error ? error.code : all ? address : [address, family]),
    ),
  );

describe('the look-up of a name', () => {
  it('asks the name servers, and falls back on the machine’s own resolver', async () => {
    const server = await aNameServer('127.0.0.1');
    expect(await lookedUp(createLookup([server.address]), 'receiver.test', true)).toEqual([
      { address: '127.0.0.1', family: 4 },
    ]);
    expect(await lookedUp(createLookup([server.address]), 'receiver.test', false)).toEqual([
      '127.0.0.1',
      4,
    ]);
    expect(server.queryCount()).toBeGreaterThan(0);
    const ignorant = await aNameServer(null);
    expect(await lookedUp(createLookup([ignorant.address]), 'localhost', true)).not.toEqual([]);
    expect(await lookedUp(createLookup([ignorant.address]), 'receiver.test', true)).toMatch(/^E/);
  });

  it('asks the name servers of that moment: they change with the network', async () => {
    const gone = await aNameServer(null);
    const present = await aNameServer('127.0.0.1');
    const servers = [gone.address];
    const look = createLookup(servers);
    expect(await lookedUp(look, 'receiver.test', true)).toMatch(/^E/);
    servers[0] = present.address;
    expect(await lookedUp(look, 'receiver.test', true)).toEqual([
      { address: '127.0.0.1', family: 4 },
    ]);
  });

  it('leads to the receiver where that is allowed, and is judged where it is not', async () => {
    const { address } = await aNameServer('127.0.0.1');
    const receiver = await aReceiver(answering(204), { secure: true });
    const letter = { url: `https://receiver.test:${receiver.port}/`, headers: {}, body: 'x' };
    const options = { lookup: createLookup([address]), ca: RECEIVER_PEM };
    expect(await createPost({ ALLOW_PRIVATE_DESTINATIONS: '1' }, options)(letter)).toMatchObject({
      ok: true,
      status: 204,
    });
    expect(await createPost({ ALLOW_PRIVATE_DESTINATIONS: '0' }, options)(letter)).toEqual({
      ok: false,
      error: 'private',
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('of twenty names with silent servers delays no other', async () => {
    const silent = await aNameServer(undefined);
    const post = createPost(
      { ALLOW_PRIVATE_DESTINATIONS: '1' },
      { within_ms: 5_000, lookup: createLookup([silent.address]) },
    );
    let answered = 0;
    const posts = Array.from({ length: 20 }, async (_, n) => {
      const answer = await post({ url: `https://dead-${n}.test/`, headers: {}, body: 'x' });
      answered += 1;
      return answer;
    });
    await expect.poll(silent.queryCount).toBeGreaterThanOrEqual(20);
    // By a thread, like all lookups.
    expect(await lookup('localhost')).toMatchObject({ family: expect.any(Number) });
    expect(answered).toBe(0);
    for (const answer of await Promise.all(posts))
      expect(answer).toMatchObject({
        ok: false,
        error: expect.stringMatching(/^(unknownHost|timeout)$/),
      });
  });
});
