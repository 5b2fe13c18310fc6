import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  errorAnswer,
  GARBAGE,
  HANG_UP,
  json,
  MAINTENANCE,
  RATE_LIMITED,
} from './test/game-data.ts';
import { startGameData } from './test/verify.ts';
import { askTibiaData } from './tibiadata.ts';

/** Long enough for an answer, short enough for silence. */
const TIMEOUT_MS = 5_000;
const SHORT_MS = 50;
/** Never reached: what ends such a question is the product's own limit. */
const FOREVER_MS = 600_000;

/** JSON that never ends, written as fast as it is read; reports the number of bytes written once the connection is gone. */
function endless(compressed: boolean): {
  reply: (res: ServerResponse) => void;
  written: Promise<number>;
} {
  const { promise: written, resolve } = Promise.withResolvers<number>();
  const piece = Buffer.alloc(65_536, ' ');
  const reply = (res: ServerResponse): void => {
    res.writeHead(200, {
      'Content-Type': 'application/json',
      ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
    });
    let bytes = 0;
    const body = compressed ? createGzip() : res;
    if (body !== res) body.pipe(res);
    const write = (): void => {
      let isTaken = true;
      while (!res.destroyed && isTaken) {
        bytes += piece.length;
        isTaken = body.write(piece);
      }
      if (!res.destroyed) body.once('drain', write);
    };
    res.on('close', () => resolve(bytes));
    write();
  };
  return { reply, written };
}

describe('the game’s data source', () => {
  it('returns a character’s comment, guild and rank, and the response’s age', async () => {
    const data = await startGameData();
    const profile = {
      name: 'Bubble',
      comment: 'hello\nCLAIM-ABCDEFGH',
      guild: { name: 'Red Rose', rank: 'Vice Leader' },
      former_names: ['Bubbles'],
    };
    data.show(profile, { Age: '120' });
    expect(await askTibiaData(data.url, 'bubble', TIMEOUT_MS)).toEqual({
      finding: {
        type: 'character',
        character: {
          name: 'Bubble',
          former_names: ['Bubbles'],
          comment: 'hello\nCLAIM-ABCDEFGH',
          world: 'Antica',
          guild_name: 'Red Rose',
          guild_rank: 'Vice Leader',
          is_deleted: false,
          deletion_date: null,
          was_traded: false,
          is_whole: true,
        },
      },
      age_seconds: 120,
    });
  });

  it('leaves out empty fields: no comment, no guild, no Age', async () => {
    const data = await startGameData();
    data.show({ name: 'Bubble' });
    expect(await askTibiaData(data.url, 'Bubble', TIMEOUT_MS)).toMatchObject({
      finding: { character: { comment: '', guild_name: null, guild_rank: null } },
      age_seconds: null,
    });
  });

  it('reports that a character is about to be deleted, or was sold', async () => {
    const data = await startGameData();
    data.show({ name: 'Bubble', deletion_date: '2026-12-21T18:00:00Z', traded: true });
    expect(await askTibiaData(data.url, 'Bubble', TIMEOUT_MS)).toMatchObject({
      finding: { character: { is_deleted: true, was_traded: true } },
    });
  });

  it('sends names unchanged, with any letters', async () => {
    const data = await startGameData();
    for (const name of ["Elder O'Bok", 'Näurin', 'Li-Ho Crue', 'Mr. Smith'])
      await askTibiaData(data.url, name, TIMEOUT_MS);
    expect(data.requests).toEqual(["Elder O'Bok", 'Näurin', 'Li-Ho Crue', 'Mr. Smith']);
  });

  it('recognizes a missing character by the error number, not by the HTTP status', async () => {
    const data = await startGameData();
    for (const status of [502, 404, 200]) {
      data.failWith(json(status, errorAnswer(status, 20_001, 'could not find character')));
      expect((await askTibiaData(data.url, 'Nobody', TIMEOUT_MS)).finding).toEqual({
        type: 'missing',
      });
    }
  });

  it.each([10_001, 10_002, 10_003, 10_004, 10_005, 10_006, 10_007])(
    'takes error %i for a bad name',
    async (error) => {
      const data = await startGameData();
      data.failWith(json(400, errorAnswer(400, error, 'the provided character name is invalid')));
      expect((await askTibiaData(data.url, 'x', TIMEOUT_MS)).finding).toEqual({ type: 'bad-name' });
    },
  );

  it.each([
    ['maintenance', MAINTENANCE],
    ['rate limiting', RATE_LIMITED],
    [
      'an error without a number',
      json(502, { information: { status: { http_code: 502, message: 'EOF' } } }),
    ],
    ['an unknown error', json(502, errorAnswer(502, 20_099, 'something new'))],
    ['a page instead of JSON', GARBAGE],
    ['half an answer', (res: ServerResponse) => void res.writeHead(200).end('{"character":{"char')],
    ['JSON of another shape', json(200, { hello: 'world' })],
    ['JSON that is null', (res: ServerResponse) => void res.writeHead(200).end('null')],
    [
      'a character without a name',
      json(200, { character: { character: {} }, information: { status: { http_code: 200 } } }),
    ],
    [
      'a character that is none',
      json(200, { character: 7, information: { status: { http_code: 200 } } }),
    ],
    ['a connection that breaks', HANG_UP],
  ])('takes %s for a failure', async (_, reply) => {
    const data = await startGameData();
    data.failWith(reply);
    expect((await askTibiaData(data.url, 'Bubble', TIMEOUT_MS)).finding).toMatchObject({
      type: 'failure',
      reason: expect.any(String),
    });
  });

  it('is given up on when it stays silent, at first or in the middle of an answer', async () => {
    const data = await startGameData();
    data.failWith(() => {});
    expect((await askTibiaData(data.url, 'Bubble', SHORT_MS)).finding).toMatchObject({
      type: 'failure',
      reason: /TimeoutError/,
    });
    data.failWith((res) => void res.writeHead(200).write('{"character":'));
    expect((await askTibiaData(data.url, 'Bubble', SHORT_MS)).finding).toMatchObject({
      type: 'failure',
    });
  });

  it('that does not exist is a failure', async () => {
    expect((await askTibiaData('http://127.0.0.1:1', 'Bubble', TIMEOUT_MS)).finding.type).toBe(
      'failure',
    );
  });

  it('aborts a response that never ends', async () => {
    const data = await startGameData();
    const { reply, written } = endless(false);
    data.failWith(reply);
    const { finding } = await askTibiaData(data.url, 'Bubble', FOREVER_MS);
    expect(finding).toMatchObject({ type: 'failure', reason: /longer than 1048576 bytes/ });
    // The bytes written after the abort were in the connection's buffers.
    expect(await written).toBeLessThan(20 * 1_048_576);
  });

  it('aborts a small response that decompresses without an end', async () => {
    const data = await startGameData();
    const { reply, written } = endless(true);
    data.failWith(reply);
    const { finding } = await askTibiaData(data.url, 'Bubble', FOREVER_MS);
    expect(finding).toMatchObject({ type: 'failure', reason: /longer than 1048576 bytes/ });
    await written;
  });

  it('sends us nowhere else', async () => {
    const data = await startGameData();
    data.show({ name: 'Bubble' });
    data.failWith((res) => {
      data.failWith(null);
      res.writeHead(302, { Location: `${data.url}/v4/character/Bubble` }).end();
    });
    expect((await askTibiaData(data.url, 'Redirected', TIMEOUT_MS)).finding.type).toBe('failure');
    expect(data.requests).toEqual(['Redirected']);
  });

  it('may have a comment of any length, cut to the game’s maximum', async () => {
    const data = await startGameData();
    data.show({ name: 'Bubble', comment: 'x'.repeat(500_000) });
    const { finding } = await askTibiaData(data.url, 'Bubble', TIMEOUT_MS);
    expect(finding.type === 'character' && finding.character.comment.length).toBe(8_000);
  });

  it('distinguishes an outage from a failure for one name', async () => {
    const data = await startGameData();
    for (const [reply, is_of_source] of [
      [MAINTENANCE, true],
      [RATE_LIMITED, true],
      [json(502, errorAnswer(502, 20_099, 'something new')), false],
    ] as const) {
      data.failWith(reply);
      expect((await askTibiaData(data.url, 'Bubble', TIMEOUT_MS)).finding).toMatchObject({
        type: 'failure',
        is_of_source,
      });
    }
  });

  it('may ask to be left alone for a while', async () => {
    const data = await startGameData();
    data.failWith(
      json(429, errorAnswer(429, 20_006, 'request has been throttled'), { 'Retry-After': '600' }),
    );
    expect((await askTibiaData(data.url, 'Bubble', TIMEOUT_MS)).finding).toMatchObject({
      type: 'failure',
      retry_after_seconds: 600,
    });
  });

  it('may send fields of other types than documented: they count as not set', async () => {
    const data = await startGameData();
    const odd = { name: 'Bubble', comment: 7, guild: [], traded: 'yes', deletion_date: null };
    data.failWith(
      json(200, {
        character: { character: odd },
        information: { status: { http_code: 200, error: null } },
      }),
    );
    expect((await askTibiaData(data.url, 'Bubble', TIMEOUT_MS)).finding).toMatchObject({
      type: 'character',
      character: {
        name: 'Bubble',
        comment: '',
        guild_name: null,
        was_traded: false,
        is_deleted: false,
      },
    });
  });
});
