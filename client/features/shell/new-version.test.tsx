import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BUILD_META } from '../../../shared/build.ts';
import { noteServerBuild, useNewBuild } from '../../lib/loading/new-build.ts';
import { NewVersion } from './page-frame.tsx';

const reload = vi.fn();
let served = 'newer';

beforeEach(() => {
  vi.useFakeTimers();
  document.head.innerHTML = `<meta name="${BUILD_META}" content="mine">`;
  vi.stubGlobal('location', { ...location, reload });
  vi.stubGlobal(
    'fetch',
    async () => new Response(`<meta name="${BUILD_META}" content="${served}">`),
  );
  served = 'newer';
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  reload.mockClear();
  sessionStorage.clear();
  useNewBuild.setState({ id: null });
  document.head.innerHTML = '';
});
const aWhile = (): Promise<unknown> => vi.advanceTimersByTimeAsync(60_000);

it('shows nothing while the server has this build, or names none', async () => {
  render(<NewVersion />);
  for (const build of ['mine', null, undefined, '']) noteServerBuild(build);
  await aWhile();
  expect(screen.queryByRole('status')).toBeNull();
  expect(reload).not.toHaveBeenCalled();
});

it('announces another build, and loads it once, however often it is reported', async () => {
  render(<NewVersion />);
  noteServerBuild('newer');
  await aWhile();
  expect(screen.getByRole('status').textContent).toContain('A new version is available');
  for (let again = 0; again < 5; again += 1) {
    noteServerBuild('mine');
    noteServerBuild('newer');
    await aWhile();
  }
  expect(reload).toHaveBeenCalledTimes(1);
});

it('stays if the new page would be this one, a portal’s or none', async () => {
  render(<NewVersion />);
  served = 'mine';
  noteServerBuild('newer');
  await aWhile();
  vi.stubGlobal('fetch', async () => new Response('<h1>Please sign in</h1>'));
  await aWhile();
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('no network')));
  await aWhile();
  expect(reload).not.toHaveBeenCalled();
});

it('an open dialog is waited for', async () => {
  const { rerender } = render(
    <>
      <NewVersion />
      <div role="dialog" />
    </>,
  );
  noteServerBuild('newer');
  await aWhile();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
  rerender(<NewVersion />);
  await aWhile();
  expect(reload).toHaveBeenCalledTimes(1);
});

it('keeps input that was started while the page was loading', async () => {
  render(
    <>
      <NewVersion />
      <input aria-label="Name" />
    </>,
  );
  const page = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => page.promise);
  noteServerBuild('newer');
  await vi.advanceTimersByTimeAsync(5_000);
  screen.getByLabelText('Name').focus();
  page.resolve(new Response(`<meta name="${BUILD_META}" content="newer">`));
  await aWhile();
  expect(reload).not.toHaveBeenCalled();
});

it('a page that fails to load is requested less and less often: a proxy may serve the old one to every tab', async () => {
  const fetchMock = vi.fn(async () => new Response(`<meta name="${BUILD_META}" content="mine">`));
  vi.stubGlobal('fetch', fetchMock);
  render(<NewVersion />);
  noteServerBuild('newer');
  for (let minute = 0; minute < 60; minute += 1) await aWhile();
  expect(fetchMock.mock.calls.length).toBeLessThan(20);
  // And yet loaded in the end.
  vi.stubGlobal('fetch', async () => new Response(`<meta name="${BUILD_META}" content="newer">`));
  for (let minute = 0; minute < 5; minute += 1) await aWhile();
  expect(reload).toHaveBeenCalledTimes(1);
});
