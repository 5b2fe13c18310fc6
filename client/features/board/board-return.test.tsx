import { act, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { saveLastBoard } from '../../state/board-place.ts';
import { readQuery, useRestoreBoard } from './board-query.ts';

const EMPTY = readQuery({});
function TheBoard(): ReactNode {
  useRestoreBoard(EMPTY);
  return <p>the board</p>;
}

/** How long the page is; a board is drawn bit by bit. */
let height: number;
const scrolledTo: number[] = [];
beforeEach(() => {
  height = 5000;
  scrolledTo.length = 0;
  saveLastBoard({ search: '', scroll: 0 });
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockImplementation(() => height);
  vi.stubGlobal('scrollTo', ({ top }: { top: number }) => void scrolledTo.push(top));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const aFrame = (): Promise<void> => new Promise((done) => void requestAnimationFrame(() => done()));
const frames = async (): Promise<void> => {
  for (let i = 0; i < 3; i += 1) await act(aFrame);
};

/** Scrolls the board, and opens another page. */
async function leaveBoardAt(scroll: number): Promise<ReturnType<typeof createMemoryRouter>> {
  const router = createMemoryRouter([
    { path: '/', element: <TheBoard /> },
    { path: '/input', element: <p>the form</p> },
  ]);
  render(<RouterProvider router={router} />);
  await frames();
  vi.stubGlobal('scrollY', scroll);
  await act(() => router.navigate('/input'));
  expect(screen.getByText('the form')).toBeTruthy();
  vi.stubGlobal('scrollY', 0);
  return router;
}

test('Back returns to the same place on the board', async () => {
  const router = await leaveBoardAt(1200);
  await act(() => router.navigate(-1));
  await vi.waitFor(() => expect(scrolledTo).toEqual([1200]), { timeout: 20_000 });
});

test('as soon as the board is that long again', async () => {
  const router = await leaveBoardAt(1200);
  height = 900;
  await act(() => router.navigate(-1));
  await frames();
  expect(scrolledTo).toEqual([]);
  height = 5000;
  await vi.waitFor(() => expect(scrolledTo).toEqual([1200]), { timeout: 20_000 });
});

test('doesn’t move the page if the user has scrolled', async () => {
  const router = await leaveBoardAt(1200);
  height = 900;
  await act(() => router.navigate(-1));
  document.dispatchEvent(new Event('wheel'));
  height = 5000;
  await frames();
  expect(scrolledTo).toEqual([]);
});

test('a link to the board opens it at the top', async () => {
  const router = await leaveBoardAt(1200);
  await act(() => router.navigate('/'));
  expect(screen.getByText('the board')).toBeTruthy();
  await frames();
  expect(scrolledTo).toEqual([]);
});
