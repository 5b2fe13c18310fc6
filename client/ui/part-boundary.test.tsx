import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType, ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { BUILD_META } from '../../shared/build.ts';
import { lazyPart } from '../lib/loading/lazy-part.ts';
import { announceReconnect } from '../lib/page-events.ts';
import { PartBoundary } from './part-boundary.tsx';

const TITLE = "This part of the page couldn't be loaded";
const reload = vi.fn();
const page = (): Response => new Response(`<meta name="${BUILD_META}" content="a">`);
const offline = (): Promise<never> =>
  Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const load = vi.fn<() => Promise<ComponentType>>();
let logged: MockInstance;

beforeEach(() => {
  // React logs every error that a boundary catches.
  logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.stubGlobal('location', { ...location, pathname: '/', reload });
  vi.stubGlobal('fetch', offline);
  load.mockImplementation(offline);
});
afterEach(() => {
  vi.unstubAllGlobals();
  logged.mockClear();
  load.mockReset();
  reload.mockClear();
  sessionStorage.clear();
});

const Timeline = (): ReactNode => <p>Timeline</p>;
const showPage = (): void => {
  const Part = lazyPart(load);
  render(
    <>
      <p>Board</p>
      <PartBoundary>
        <Part />
      </PartBoundary>
    </>,
  );
};

it('a part that cannot be fetched says so in its place, and is loaded by a retry', async () => {
  showPage();
  expect(await screen.findByText(TITLE)).toBeTruthy();
  expect(screen.getByText('Board')).toBeTruthy();
  load.mockResolvedValue(Timeline);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Timeline')).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
});

it.each([
  ['the server answers again', announceReconnect],
  ['the browser is online again', () => window.dispatchEvent(new Event('online'))],
])('it is fetched again when %s', async (_when, reconnect) => {
  showPage();
  expect(await screen.findByText(TITLE)).toBeTruthy();
  load.mockResolvedValue(Timeline);
  act(reconnect);
  expect(await screen.findByText('Timeline')).toBeTruthy();
});

it('after a second failure it offers a reload, which waits until the server answers', async () => {
  showPage();
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Reload the page' }));
  expect(await screen.findByText(/server can't be reached yet/)).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
  vi.stubGlobal('fetch', async () => page());
  await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }));
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

it('a part that throws leaves the rest of the page intact', async () => {
  load.mockResolvedValue(() => {
    throw new Error('a mistake');
  });
  showPage();
  expect(await screen.findByText(TITLE)).toBeTruthy();
  expect(screen.getByText('Board')).toBeTruthy();
});
