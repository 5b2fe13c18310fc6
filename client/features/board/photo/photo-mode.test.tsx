import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import html2canvas from 'html2canvas';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { applyChanges, applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { aCategory, aClaim, anActiveEvent, aSpot } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { ToastHost } from '../../../ui/toast.tsx';
import { Board } from '../board.tsx';

// There is nothing to paint on here; a browser test looks at the picture itself.
vi.mock('html2canvas', () => ({ default: vi.fn() }));
const painted = vi.mocked(html2canvas);
/** The element that would have been photographed. */
let pictured = '';
let link: HTMLAnchorElement | null = null;

function resizeTo(innerWidth: number): void {
  // The first change sets the initial state of the media queries, which only report changes.
  window.dispatchEvent(new Event('resize'));
  Object.assign(window, { innerWidth });
  window.dispatchEvent(new Event('resize'));
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  resizeTo(1024);
  painted.mockImplementation(async (host, options) => {
    pictured = host.innerHTML;
    const canvas = options?.canvas ?? document.createElement('canvas');
    canvas.toBlob = (done) => done(new Blob(['PNG'], { type: 'image/png' }));
    return canvas;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    link = this;
  });
  // The emblems are there at once.
  vi.spyOn(HTMLImageElement.prototype, 'complete', 'get').mockReturnValue(true);
  applySnapshot(1, {
    respawn: [
      aSpot(1, 'Fire Library', 10),
      aSpot(2, 'Cobra Bastion', 10),
      aSpot(3, 'Ingol -2', 20),
      aSpot(4, 'Nowhere'),
    ],
    category: [aCategory(10, 'Ankrahmun'), aCategory(20, 'Marapur')],
    claim: [
      aClaim({ id: 1, respawn_id: 1, character_name: 'Mira Stormcrow' }),
      aClaim({ id: 2, respawn_id: 4 }),
    ],
    event: [anActiveEvent()],
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  clearBoard();
});

function Address(): ReactNode {
  return <output>{useLocation().search}</output>;
}
function show(address: string): void {
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
        <ToastHost />
        <Address />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const take = (title: string): Promise<HTMLElement> =>
  screen.findByRole('button', { name: `Screenshot: ${title}` });
const takers = (): string[] =>
  screen
    .queryAllByRole('button', { name: /^Screenshot/ })
    .map((button) => button.getAttribute('aria-label') ?? '');

test('each category with claims has a screenshot button, also spots without a category; unclaimed spots are hidden', async () => {
  show('/?photoMode=true');
  await take('Ankrahmun');
  expect(takers()).toEqual(['Screenshot: Ankrahmun', 'Screenshot: Uncategorised']);
  expect(screen.queryByText('Cobra Bastion')).toBeNull();
  expect(screen.queryByRole('list', { name: /^Unclaimed spots/ })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Fire Library' })).toBeNull();
});

test('photo mode asks for a screen that is wider than 768 px, and follows it', async () => {
  resizeTo(768);
  show('/?photoMode=true');
  expect(takers()).toEqual([]);
  expect(screen.queryByRole('button', { name: 'Photo mode' })).toBeNull();
  expect(screen.getByText('Cobra Bastion')).toBeTruthy();
  act(() => resizeTo(769));
  await take('Ankrahmun');
  act(() => resizeTo(700));
  expect(takers()).toEqual([]);
});

test('without it in the address there is none; the button in the head leads in and out', async () => {
  show('/');
  expect(takers()).toEqual([]);
  const toggle = screen.getByRole('button', { name: 'Photo mode' });
  await userEvent.click(toggle);
  await take('Ankrahmun');
  await waitFor(() => expect(screen.getByText('?photoMode=true')).toBeTruthy());
  await userEvent.click(screen.getByRole('button', { name: 'Leave photo mode' }));
  expect(takers()).toEqual([]);
  await waitFor(() => expect(screen.queryByText('?photoMode=true')).toBeNull());
});

test('a category is saved under its title and date, without controls, with a caption', async () => {
  show('/?photoMode=true');
  await userEvent.click(await take('Ankrahmun'));
  expect(await screen.findByText('Screenshot saved as ankrahmun-2026-11-21.png')).toBeTruthy();
  expect(link?.download).toBe('ankrahmun-2026-11-21.png');
  expect(pictured).toContain('Ankrahmun');
  expect(pictured).toMatch(/Double week · Saturday,? 21 November 2026 · as of SS\+12, \d\d:30/);
  expect(pictured).toContain('Mira Stormcrow');
  expect(pictured).not.toContain('Screenshot');
  expect(painted.mock.calls[0]?.[1]).toMatchObject({ imageTimeout: 15_000 });
  // The photographed element is removed afterwards.
  expect(screen.getAllByText('Ankrahmun', { selector: 'h2' })).toHaveLength(1);
});

test('the picture marks nothing as the viewer’s own', async () => {
  const mira = {
    characterName: 'Mira Stormcrow',
    memberType: 'member',
    accessKey: 'K',
    isVerified: true,
    createdAt: '',
  };
  show('/');
  act(() => useSession.setState({ status: 'ready', current: mira, profiles: [mira] }));
  onTestFinished(() => useSession.setState({ status: 'checking', current: null, profiles: [] }));
  const card = (): string =>
    screen.getAllByRole('article').find(({ textContent }) => textContent?.includes('Fire Library'))
      ?.innerHTML ?? '';
  await waitFor(() => expect(card()).toMatch(/>you</));
  await userEvent.click(screen.getByRole('button', { name: 'Photo mode' }));
  await take('Ankrahmun');
  await waitFor(() => expect(card()).not.toMatch(/>you<|mine/));
  expect(card()).toContain('Mira Stormcrow');
});

test('a sorted list is one picture', async () => {
  show('/?photoMode=true&sort=alphabetical&view=timeline');
  await userEvent.click(await take('Alphabetical'));
  expect(await screen.findByText('Screenshot saved as alphabetical-2026-11-21.png')).toBeTruthy();
  for (const spot of ['Cobra Bastion', 'Fire Library', 'Ingol -2', 'Nowhere'])
    expect(pictured).toContain(spot);
});

test('the button is busy while it works, and takes no second press', async () => {
  let finish = (_: HTMLCanvasElement): void => {};
  painted.mockImplementation(
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  show('/?photoMode=true');
  const button = await take('Ankrahmun');
  await userEvent.click(button);
  await waitFor(() => expect(painted).toHaveBeenCalledOnce());
  expect(button.getAttribute('aria-busy')).toBe('true');
  await userEvent.click(button);
  expect(painted).toHaveBeenCalledOnce();
  const canvas = document.createElement('canvas');
  canvas.toBlob = (done) => done(new Blob());
  finish(canvas);
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull());
});

test('a picture that cannot be drawn says so, and the page is as before', async () => {
  painted.mockImplementation(async (_, options) => {
    const canvas = options?.canvas ?? document.createElement('canvas');
    // As browsers do when a canvas is too large for them.
    canvas.toBlob = (done) => done(null);
    return canvas;
  });
  show('/?photoMode=true');
  await userEvent.click(await take('Ankrahmun'));
  expect(await screen.findByText('Failed to take screenshot. Please try again.')).toBeTruthy();
  expect(screen.getAllByText('Ankrahmun', { selector: 'h2' })).toHaveLength(1);
});

test('a category that was deleted before the screenshot is reported', async () => {
  // A category that the address names is shown even without claims.
  show('/?photoMode=true&categoryFilter=20');
  const button = await take('Marapur');
  act(() => {
    button.click();
    applyChanges({ clock: 2, changes: [{ op: 'remove', kind: 'respawn', id: 3 }] });
  });
  expect(
    await screen.findByText('Could not find the category section to screenshot.'),
  ).toBeTruthy();
  expect(painted).not.toHaveBeenCalled();
});
