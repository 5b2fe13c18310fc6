import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express from 'express';
import supertest from 'supertest';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { answerErrors } from './errors.ts';
import { compressAnswers } from './express-app.ts';
import { serveAssets, serveClient } from './static-files.ts';

const SCRIPT = 'export const words = "hunting at night";\n'.repeat(200);
const SENTENCES = JSON.stringify({ words: 'hunting at night '.repeat(200) });
const STYLE = '.board { color: green }\n'.repeat(200);
const PAGE = '<!doctype html><title>Claimboard</title>';
let folder: string;
let asking: ReturnType<typeof supertest>;

/** Stores an asset as the build does. */
async function build(name: string, content: string): Promise<void> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  await writeFile(`${file}.br`, brotliCompressSync(content));
  await writeFile(`${file}.gz`, gzipSync(content));
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'claimboard-assets-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await build('first-1.js', SCRIPT);
  await build('first-1.css', STYLE);
  await build('en-member-1.json', SENTENCES);
  await writeFile(path.join(folder, 'sans.woff2'), 'a font');
  await writeFile(path.join(folder, 'index.html'), PAGE);
  await writeFile(path.join(folder, 'robots.txt'), 'User-agent: *');
  const metrics = { requests: { startTimer: () => () => 0 }, failures: { inc: () => {} } };
  const app = express()
    .use(compressAnswers())
    .use('/static', serveAssets(folder))
    .use(serveClient(folder));
  asking = supertest(app.disable('etag').use(answerErrors({ metrics })));
});

it.each(['br', 'gzip'])(
  'scripts, styles and sentences are sent precompressed, %s, to be kept',
  async (encoding) => {
    for (const [name, type, text] of [
      ['first-1.js', /^text\/javascript/, SCRIPT],
      ['first-1.css', /^text\/css/, STYLE],
      ['en-member-1.json', /^application\/json/, SENTENCES],
    ] as const) {
      const answer = await asking
        .get(`/static/${name}`)
        .set('Accept-Encoding', encoding)
        .expect(200)
        .expect('Content-Type', type);
      expect(answer.text).toBe(text);
      expect(answer.headers).toMatchObject({
        'content-encoding': encoding,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      });
      expect(Number(answer.headers['content-length'])).toBeLessThan(text.length / 4);
    }
  },
);

it('a client without compression, or with a range, gets the file itself', async () => {
  const plain = await asking
    .get('/static/first-1.js')
    .set('Accept-Encoding', 'identity')
    .expect(200);
  expect([plain.text, plain.headers['content-encoding']]).toEqual([SCRIPT, undefined]);
  await asking
    .get('/static/first-1.js')
    .set({ 'Accept-Encoding': 'identity', Range: 'bytes=0-3' })
    .expect(206);
  expect(
    (await asking.get('/static/sans.woff2').set('Accept-Encoding', 'br').expect(200)).headers[
      'content-encoding'
    ],
  ).toBeUndefined();
});

it('a missing file is not found, and a later one is sent, with compressed copies or without', async () => {
  await asking.get('/static/later-1.js').set('Accept-Encoding', 'br').expect(404);
  await writeFile(path.join(folder, 'later-1.js'), SCRIPT);
  expect(
    (await asking.get('/static/later-1.js').set('Accept-Encoding', 'br').expect(200)).text,
  ).toBe(SCRIPT);
  for (const outside of ['..%2Ffirst-1.js', '%2e%2e%2f%2e%2e%2fetc%2fpasswd.js']) {
    expect(
      (await asking.get(`/static/${outside}`).set('Accept-Encoding', 'br')).status,
      outside,
    ).not.toBe(200);
  }
});

it('an error is no file: it has neither its encoding nor its time to be kept', async () => {
  const { headers, body } = await asking
    .get('/static/first-1.js')
    .set({ 'Accept-Encoding': 'br', 'If-Match': '"another"' })
    .expect(400);
  expect(body.code).toBe('request.malformed');
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  });
  expect([headers['content-encoding'], headers.etag, headers['last-modified']]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it.each([
  '/',
  '/verify',
  '/verify/Dr.Arden',
  '/verify/Sable%20Quinn',
  '/admin/dashboard/member/Dr.Arden',
  '/%E0%A4%A',
  '/nowhere',
])('%s is a page', async (address) => {
  const { text, headers } = await asking.get(address).expect(200);
  expect([text, headers['cache-control']]).toEqual([PAGE, 'no-cache']);
});

it.each([
  '/nope.png',
  '/wp-login.php',
  '/some/folder/nope.js',
  '/.well-known/security',
  '/.well-known/',
  '/.git/config',
  '/.env',
])('%s is no page, and is not found', async (address) => {
  expect((await asking.get(address).expect(404)).body.code).toBe('request.notFound');
});

it('a file of the client is sent, the ones that crawlers and browsers ask for among them', async () => {
  expect((await asking.get('/robots.txt').expect(200)).text).toBe('User-agent: *');
  const inClient = path.resolve(import.meta.dirname, '../../client/public');
  expect(readdirSync(inClient)).toEqual(expect.arrayContaining(['robots.txt', 'favicon.ico']));
});
