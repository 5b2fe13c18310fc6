import { expect, it } from 'vitest';
import { BUILD_META } from '../../shared/build.ts';
import { isAppPath, ourFile, ourPage } from './app-files.ts';

const page = (html: string, type = 'text/html; charset=utf-8', status = 200): Response =>
  new Response(html, { status, headers: { 'Content-Type': type } });
const OURS = `<!doctype html><meta name="${BUILD_META}" content="0123abcd"><div id="root"></div>`;

it.each([
  '/',
  '/verify',
  '/verify/Sable%20Quinn',
  '/verify/St.%20Marta',
  '/admin/dashboard/keys',
  '/submit-claims',
])('%s is the app', (path) => {
  expect(isAppPath(path)).toBe(true);
});

it.each([
  '/api/docs',
  '/api',
  '/metrics',
  '/healthz',
  '/readyz',
  '/assets/respawns/3.gif',
  '/static/x.js',
  '/favicon.svg',
  '/socket.io/',
])('%s is not the app', (path) => {
  expect(isAppPath(path)).toBe(false);
});

it('only our own page is kept as the app', async () => {
  expect(await ourPage(page(OURS))).not.toBeNull();
  expect(await ourPage(page('<!doctype html><h1>Please sign in</h1>'))).toBeNull();
  expect(await ourPage(page(OURS, 'text/html', 502))).toBeNull();
  expect(await ourPage(page(OURS, 'text/plain'))).toBeNull();
});

it('a page is no program and no picture', () => {
  expect(ourFile(page('export {}', 'text/javascript'))).not.toBeNull();
  expect(ourFile(page('<h1>Please sign in</h1>'))).toBeNull();
  expect(ourFile(page('', 'image/gif', 404))).toBeNull();
});
