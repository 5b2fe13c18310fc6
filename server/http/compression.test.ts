import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import express, { type Response } from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { compressAnswers } from './express-app.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server whose answers stay open: `answers` has their server's side, in the order of their start. */
async function aServer(
  max: number,
): Promise<{ ask: () => Promise<IncomingMessage>; answers: Response[] }> {
  const answers: Response[] = [];
  const app = express().use(compressAnswers(max));
  app.get('/', (_req, res) => {
    answers.push(res);
    res.type('json').write('x'.repeat(5_000));
    res.flush();
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const ask = async (): Promise<IncomingMessage> => {
    const asking = get({
      port: address.port,
      host: '127.0.0.1',
      agent: false,
      headers: { 'Accept-Encoding': 'gzip' },
    });
    const [answer] = await once(asking, 'response');
    return answer;
  };
  return { ask, answers };
}

const encodingOf = (answer: IncomingMessage): string =>
  answer.headers['content-encoding'] ?? 'plain';

describe('answers that are compressed on their way', () => {
  it('are so many at once: further ones go out as they are, until one is over', async () => {
    const { ask, answers } = await aServer(2);
    const first = await ask();
    const second = await ask();
    const third = await ask();
    expect([first, second, third].map(encodingOf)).toEqual(['gzip', 'gzip', 'plain']);
    expect([first, third].map(({ headers }) => headers.vary)).toEqual([
      'Accept-Encoding',
      'Accept-Encoding',
    ]);

    const [over] = answers;
    if (!over) throw new Error('no answer');
    over.end();
    first.resume();
    await once(first, 'end');
    if (!over.closed) await once(over, 'close');
    expect(encodingOf(await ask())).toBe('gzip');
    expect(encodingOf(await ask())).toBe('plain');
  });

  it('no longer count when their reader is gone, and ones that were never compressed do not count at all', async () => {
    const { ask, answers } = await aServer(1);
    const compressed = await ask();
    const plain = await ask();
    const gone = answers.map((each) => once(each, 'close'));
    plain.destroy();
    await gone[1];
    expect(encodingOf(await ask())).toBe('plain');
    compressed.destroy();
    await gone[0];
    expect(encodingOf(await ask())).toBe('gzip');
  });
});
