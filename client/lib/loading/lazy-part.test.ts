import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BUILD_META } from '../../../shared/build.ts';
import { loadPart, PartMissing } from './lazy-part.ts';

const reload = vi.fn();
const missing = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const pageOf = (build: string): string => `<meta name="${BUILD_META}" content="${build}">`;

beforeEach(() => {
  document.head.innerHTML = pageOf('a');
  vi.stubGlobal('location', { ...location, reload });
  vi.stubGlobal('fetch', async () => new Response(pageOf('b')));
});
afterEach(() => {
  vi.unstubAllGlobals();
  reload.mockClear();
  sessionStorage.clear();
  document.head.innerHTML = '';
  document.body.innerHTML = '';
});

it('a part that comes is the part', async () => {
  expect(await loadPart(async () => 7)).toBe(7);
});

it('one that does not loads the page anew, once for each build, whatever builds take turns', async () => {
  for (const build of ['a', 'b']) {
    document.head.innerHTML = pageOf(build);
    void loadPart(missing);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(build === 'a' ? 1 : 2));
  }
  for (const build of ['a', 'b', 'a']) {
    document.head.innerHTML = pageOf(build);
    await expect(loadPart(missing)).rejects.toBeInstanceOf(PartMissing);
  }
  expect(reload).toHaveBeenCalledTimes(2);
});

it('where no page would come, or something is half typed, nothing is loaded anew', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await expect(loadPart(missing)).rejects.toBeInstanceOf(PartMissing);
  vi.stubGlobal('fetch', async () => new Response(pageOf('b')));
  document.body.innerHTML = '<div role="dialog"></div>';
  await expect(loadPart(missing)).rejects.toBeInstanceOf(PartMissing);
  expect(reload).not.toHaveBeenCalled();
});
