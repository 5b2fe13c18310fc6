import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { App } from './app.tsx';

/** What fails in this test; the real parts are beside the point. */
const broken = vi.hoisted(() => new Set<string>());
const part = vi.hoisted(() => (name: string) => () => {
  if (broken.has(name)) throw new Error(`the ${name} broke`);
  return name;
});
vi.mock('./features/shell/navbar.tsx', () => ({ Navbar: part('navbar') }));
vi.mock('./ui/toast.tsx', async (original) => ({
  ...(await original()),
  ToastHost: part('toasts'),
}));
vi.mock('./ui/tooltip.tsx', async (original) => ({
  ...(await original()),
  TooltipHost: part('tooltips'),
}));
vi.mock('./features/board/home-page.tsx', () => ({ HomePage: part('board') }));
vi.mock('./live/use-settings.ts', () => ({ useSettings: part('providers') }));

let consoleError: MockInstance;
const reports = vi.fn<typeof fetch>(async () => Response.json({ success: true }));

beforeEach(() => {
  vi.stubGlobal('fetch', reports);
  // React says it there, too.
  consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  consoleError.mockClear();
  vi.unstubAllGlobals();
  reports.mockClear();
  broken.clear();
});
/** The sent reports, once the secret finder is loaded. */
async function reported(): Promise<unknown[]> {
  await vi.dynamicImportSettled();
  return reports.mock.calls.map(([path, init]) => [path, JSON.parse(String(init?.body)).message]);
}

it.each([
  ['navbar', "Couldn't show the navigation. The rest of the page still works."],
  ['toasts', "Couldn't show messages. The rest of the page still works."],
])('keeps the page if the %s fails, reports it, and retries on request', async (name, says) => {
  broken.add(name);
  render(<App />);
  expect(screen.getByText('board')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain(says);
  expect(await reported()).toEqual([['/api/client-errors', `the ${name} broke`]]);
  broken.clear();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.body.textContent).toContain(name);
});

it('shows that the page failed, even if the frame around it fails, and offers to reload', async () => {
  broken.add('providers');
  render(<App />);
  expect(screen.getByRole('heading', { name: 'Something went wrong on this page' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy();
  expect(await reported()).toEqual([['/api/client-errors', 'the providers broke']]);
});

it('reports a page that fails, and keeps working without tooltips', async () => {
  broken.add('board').add('tooltips');
  render(<App />);
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong on this page');
  expect(document.body.textContent).toContain('navbar');
  expect(await reported()).toHaveLength(2);
});
