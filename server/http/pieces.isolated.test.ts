import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compressAnswers } from './express-app.ts';
import { inPieces, pagesOf } from './paging.ts';
import { SENT } from './router.ts';

const A_MEGABYTE = 'x'.repeat(1_000_000);

/** A server that answers one list, whose pieces are counted as they are read. */
async function serving(
  pieces: () => AsyncIterable<unknown[]>,
): Promise<{ url: string; port: number }> {
  const app = express();
  app.use(compressAnswers());
  app.get('/', async (_req, res) => {
    const data = await inPieces(res, pieces());
    if (data !== SENT) res.json({ success: true, data });
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { port, url: `http://127.0.0.1:${port}/` };
}
async function* listOf(...pieces: unknown[][]): AsyncGenerator<unknown[], void> {
  yield* pieces;
}

describe('a list in pieces', () => {
  it.each([[[]], [[[]]], [[[1, 2]]], [[[1], [2, 3], [4]]], [[[], [1], [], [2], []]]])(
    'of %j is answered as the list that they make',
    async (pieces) => {
      const { url } = await serving(() => listOf(...pieces));
      const answer = await fetch(url);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await answer.json()).toEqual({ success: true, data: pieces.flat() });
    },
  );

  it('yields to the event loop after each of them', async () => {
    let turns = 0;
    const seen: number[] = [];
    const { url } = await serving(async function* () {
      for (let at = 0; at < 6; at++) {
        seen.push(turns);
        yield [at];
      }
    });
    const turn = (): void => {
      turns += 1;
      if (seen.length < 6) setImmediate(turn);
    };
    setImmediate(turn);
    await (await fetch(url)).json();
    // The second is looked for with the first, to know whether there is one.
    for (const [at, before] of seen.entries())
      if (at > 1) expect(before).toBeGreaterThan(seen[at - 1] ?? 0);
  });

  it('leaves nothing behind on the answer, however many they are', async () => {
    const warned: Error[] = [];
    const warn = (warning: Error): number => warned.push(warning);
    process.on('warning', warn);
    onTestFinished(() => void process.off('warning', warn));
    const pieces = Array.from({ length: 30 }, () => [A_MEGABYTE]);
    const { url } = await serving(() => listOf(...pieces));
    const answer = await fetch(url);
    expect([answer.headers.get('content-encoding'), await answer.json()]).toEqual([
      'gzip',
      { success: true, data: pieces.flat() },
    ]);
    await new Promise(setImmediate);
    expect(warned).toEqual([]);
  });

  it('is read no further than its caller reads, and no more once that one has left', async () => {
    let read = 0;
    let ended: () => void = () => {};
    const over = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const { port } = await serving(async function* () {
      try {
        for (; read < 100; read++) yield [A_MEGABYTE];
      } finally {
        ended();
      }
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(socket, 'readable');
    socket.destroy();
    await over;
    expect(read).toBeLessThan(50);
  });

  it('of pages contains the requested rows, read five hundred at a time', async () => {
    const calls: unknown[] = [];
    const all = Array.from({ length: 1_203 }, (_, at) => ({ id: 1_203 - at }));
    const read = async ({ limit = 0, before = 9_999 }) => {
      calls.push([limit, before]);
      return all.filter(({ id }) => id < before).slice(0, limit);
    };
    expect((await Array.fromAsync(pagesOf({}, read))).flat()).toEqual(all);
    expect(calls).toEqual([
      [500, 9_999],
      [500, 704],
      [500, 204],
    ]);
    expect(
      (await Array.fromAsync(pagesOf({ limit: 600, before: 1_000 }, async () => []))).flat(),
    ).toEqual([]);
    const some = (await Array.fromAsync(pagesOf({ limit: 600 - 500, before: 1_000 }, read))).flat();
    expect([some.length, some[0], some.at(-1)]).toEqual([100, { id: 999 }, { id: 900 }]);
  });
});
