import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentType, type ReactNode, Suspense } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BUILD_META } from '../../../shared/build.ts';
import { Boundary } from '../../ui/boundary.tsx';
import { lazyPart, loadPart, PartMissing } from './lazy-part.ts';

const reload = vi.fn();
const missing = (): Promise<never> =>
  Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const pageOf = (build: string): string => `<meta name="${BUILD_META}" content="${build}">`;

beforeEach(() => {
  document.head.innerHTML = pageOf('a');
  vi.stubGlobal('location', { ...location, pathname: '/', reload });
  vi.stubGlobal('fetch', async () => new Response(pageOf('b')));
});
afterEach(() => {
  vi.unstubAllGlobals();
  reload.mockClear();
  sessionStorage.clear();
  document.head.innerHTML = '';
  document.body.innerHTML = '';
});

it('a loaded part is rendered', async () => {
  expect(await loadPart(async () => 7)).toBe(7);
});

it('one that does not reloads the page, once per build, also when builds alternate', async () => {
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

it('without a server, or with unsaved input, the page is not reloaded', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await expect(loadPart(missing)).rejects.toBeInstanceOf(PartMissing);
  vi.stubGlobal('fetch', async () => new Response(pageOf('b')));
  document.body.innerHTML = '<div role="dialog"></div>';
  await expect(loadPart(missing)).rejects.toBeInstanceOf(PartMissing);
  expect(reload).not.toHaveBeenCalled();
});

it('a part that failed is requested again when it is next shown, once for all callers', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 502 }));
  // React says it there, too.
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
  const load = vi.fn((): Promise<ComponentType<{ name: string }>> => missing());
  const Part = lazyPart<{ name: string }>(load);
  const Page = (): ReactNode => (
    <Boundary
      instead={(tryAgain) => <button type="button" onClick={tryAgain} aria-label="Again" />}
    >
      <Suspense fallback="Loading">
        <Part name="Arden" />
        <Part name="Mira" />
      </Suspense>
    </Boundary>
  );
  const { unmount } = render(<Page />);
  await userEvent.click(await screen.findByRole('button', { name: 'Again' }));
  await screen.findByRole('button', { name: 'Again' });
  expect(load).toHaveBeenCalledTimes(2);
  // Nor does it stay lost for another place that shows it.
  unmount();
  load.mockImplementation(async () => ({ name }: { name: string }) => <p>Here is {name}</p>);
  render(<Page />);
  expect(await screen.findByText('Here is Mira')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(3);
  consoleError.mockClear();
});
