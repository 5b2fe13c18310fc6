import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import express from 'express';
import supertest from 'supertest';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { compress } from './compress.ts';
import { packedFiles } from './packed-files.ts';

const SCRIPT = 'export const words = "hunting at night";\n'.repeat(200);
const STYLE = '.board { color: green }\n'.repeat(200);
let folder: string;
let asking: ReturnType<typeof supertest>;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'claimboard-packed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, 'first-1.js'), SCRIPT);
  await writeFile(path.join(folder, 'first-1.css'), STYLE);
  await writeFile(path.join(folder, 'sans.woff2'), 'a font');
  const app = express().use(compress());
  app.get('/static/:name', packedFiles(folder, 60_000));
  app.use('/static', express.static(folder, { fallthrough: false }));
  asking = supertest(app);
});

it.each(['br', 'gzip'])('a script and a style are sent packed, %s, to be kept', async (encoding) => {
  for (const [name, type, text] of [
    ['first-1.js', /^text\/javascript/, SCRIPT],
    ['first-1.css', /^text\/css/, STYLE],
  ] as const) {
    for (const _ of ['first', 'again']) {
      const answer = await asking.get(`/static/${name}`).set('Accept-Encoding', encoding).expect(200).expect('Content-Type', type);
      expect(answer.text).toBe(text);
      expect(answer.headers).toMatchObject({
        'content-encoding': encoding,
        'cache-control': 'public, max-age=60, immutable',
        vary: 'Accept-Encoding',
      });
      expect(Number(answer.headers['content-length'])).toBeLessThan(text.length / 4);
    }
  }
});

it('is read once, however often it is asked for; a form of it that was not asked for yet is read then', async () => {
  await asking.get('/static/first-1.js').set('Accept-Encoding', 'br').expect(200);
  await writeFile(path.join(folder, 'first-1.js'), STYLE);
  expect((await asking.get('/static/first-1.js').set('Accept-Encoding', 'br')).text).toBe(SCRIPT);
  expect((await asking.get('/static/first-1.js').set('Accept-Encoding', 'gzip')).text).toBe(STYLE);
});

it('is packed once for all who ask at the same moment', async () => {
  const packing = vi.spyOn(zlib, 'brotliCompress');
  syncBuiltinESMExports();
  onTestFinished(() => {
    packing.mockRestore();
    syncBuiltinESMExports();
  });
  const answers = await Promise.all(Array.from({ length: 20 }, () => asking.get('/static/first-1.js').set('Accept-Encoding', 'br')));
  expect(answers.map(({ text }) => text)).toEqual(Array(20).fill(SCRIPT));
  expect(packing).toHaveBeenCalledTimes(1);
});

it('who takes nothing packed, or asks for a piece, gets the file itself', async () => {
  const plain = await asking.get('/static/first-1.js').set('Accept-Encoding', 'identity').expect(200);
  expect([plain.text, plain.headers['content-encoding']]).toEqual([SCRIPT, undefined]);
  await asking.get('/static/first-1.js').set({ 'Accept-Encoding': 'identity', Range: 'bytes=0-3' }).expect(206);
  expect((await asking.get('/static/sans.woff2').set('Accept-Encoding', 'br').expect(200)).headers['content-encoding']).toBeUndefined();
});

it('what is not there is no file, and one that comes later is sent', async () => {
  await asking.get('/static/later-1.js').set('Accept-Encoding', 'br').expect(404);
  await writeFile(path.join(folder, 'later-1.js'), SCRIPT);
  expect((await asking.get('/static/later-1.js').set('Accept-Encoding', 'br').expect(200)).text).toBe(SCRIPT);
  for (const outside of ['..%2Ffirst-1.js', '%2e%2e%2f%2e%2e%2fetc%2fpasswd.js']) {
    expect((await asking.get(`/static/${outside}`).set('Accept-Encoding', 'br')).status, outside).not.toBe(200);
  }
});
