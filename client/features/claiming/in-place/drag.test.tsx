import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { claimsOn } from '../day-claims.ts';
import {
  claimArrives,
  claimButton,
  drag,
  freeHour,
  middleOf,
  mouse,
  popover,
  releasePointer,
  resetScene,
  server,
  setUpScene,
  show,
  strip,
  TODAY,
  taken,
} from '../test/claim-scene.tsx';

// Each render of a row or a card for other claims asks for its day's claims: counting the calls counts those.
vi.mock('../day-claims.ts', { spy: true });

beforeEach(setUpScene);
afterEach(resetScene);

test('a drag marks hours with their name, no other row renders, and Enter claims them', async () => {
  await show();
  vi.mocked(claimsOn).mockClear();
  await drag(16, 18);
  expect(await screen.findByText('SS+16 to SS+19 · 16:00 to 19:00')).toBeTruthy();
  for (const hour of [17, 18, 20, 23, 14, 12, 18])
    fireEvent.pointerMove(document, { ...mouse, clientX: middleOf(hour) });
  expect(claimsOn).not.toHaveBeenCalled();
  releasePointer();
  const box = await popover();
  expect(box.textContent).toContain('SS+16 to SS+19');
  expect(within(box).getByText('Arden Vale')).toBeTruthy();
  expect(within(box).getByText('member')).toBeTruthy();
  expect(document.activeElement).toBe(await claimButton(3));

  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText('You claimed Fire Library, SS+16 to SS+19')).toBeTruthy();
  expect(server.posted).toHaveLength(1);
  expect(server.posted[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  expect(server.posted[0]?.body).toEqual({
    claims: [
      {
        respawn_id: 1,
        character_name: 'Arden Vale',
        date: TODAY,
        event_id: 1,
        voucher_duration: 4,
        hour_start: 16,
        hour_end: 19,
        is_secondary_claim: 0,
        secondary_priority: 0,
        is_split_claim: 0,
      },
    ],
    member_type: 'member',
    access_key: 'K',
  });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('no tooltip shows while hours are dragged, nor while the panel is open', async () => {
  await show();
  fireEvent.pointerEnter(freeHour(16), mouse);
  expect(screen.getByRole('tooltip').textContent).toMatch(/^SS\+16/);
  await drag(16, 17);
  expect(screen.queryByRole('tooltip')).toBeNull();
  fireEvent.pointerEnter(freeHour(18), mouse);
  await act(async () => void fireEvent.pointerMove(document, { ...mouse, clientX: middleOf(18) }));
  expect(await screen.findByText(/^SS\+16 to SS\+19/)).toBeTruthy();
  expect(screen.queryByRole('tooltip')).toBeNull();
  fireEvent.keyDown(document, { key: 'Escape' });
  fireEvent.pointerEnter(freeHour(14), mouse);
  fireEvent.click(freeHour(14));
  await popover();
  expect(screen.queryByRole('tooltip')).toBeNull();
});

test('stops at a claim, at past hours, and at the voucher', async () => {
  await show();
  await drag(17, 23);
  expect(await screen.findByText(/^SS\+17 to SS\+19/)).toBeTruthy();
  fireEvent.pointerMove(document, { ...mouse, clientX: middleOf(2) });
  expect(await screen.findByText(/^SS\+14 to SS\+18/)).toBeTruthy();
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(screen.queryByText(/^SS\+14 to SS\+18/)).toBeNull();
  await drag(13, 3);
  expect(await screen.findByText(/^SS\+12 to SS\+14/)).toBeTruthy();
});

test('a card’s strip is pressed and dragged in the same way', async () => {
  await show('/');
  await drag(14, 16, { on: strip(), before: 0 });
  releasePointer();
  expect(await claimButton(3)).toBeTruthy();
});

describe('a second finger', () => {
  const first = {
    pointerId: 1,
    pointerType: 'touch',
    isPrimary: true,
    button: 0,
    buttons: 1,
  } as const;
  const second = { ...first, pointerId: 2, isPrimary: false };
  const at = (hour: number): { clientX: number } => ({ clientX: middleOf(hour, 0) });
  const drawn = (): string | undefined => screen.queryByText(/^SS\+\d+ to SS\+\d+ · /)?.textContent;
  const dragWithFirst = async (): Promise<void> => {
    await show('/');
    fireEvent.pointerDown(strip(), { ...first, ...at(14) });
    await act(async () => void fireEvent.pointerMove(document, { ...first, ...at(16) }));
    expect(drawn()).toMatch(/^SS\+14 to SS\+17/);
  };

  test('on the hours that are drawn moves, ends and replaces nothing', async () => {
    await dragWithFirst();
    fireEvent.pointerDown(strip(), { ...second, ...at(22) });
    fireEvent.pointerMove(document, { ...second, ...at(23) });
    fireEvent.pointerUp(document, second);
    expect(drawn()).toMatch(/^SS\+14 to SS\+17/);
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.pointerMove(document, { ...first, ...at(15) });
    fireEvent.pointerUp(document, first);
    expect((await popover()).textContent).toContain('SS+14 to SS+16');
  });

  test('that zooms the page cancels the first one’s drag, and leaves nothing drawn', async () => {
    await dragWithFirst();
    fireEvent.pointerDown(strip(), { ...second, ...at(22) });
    fireEvent.pointerCancel(document, second);
    expect(drawn()).toMatch(/^SS\+14 to SS\+17/);
    await act(async () => void fireEvent.pointerCancel(document, first));
    expect(drawn()).toBeUndefined();
    fireEvent.pointerUp(document, first);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('after a release that the page missed, a new press draws again', async () => {
    await dragWithFirst();
    await act(async () => void fireEvent.pointerDown(strip(), { ...first, ...at(22) }));
    expect(drawn()).toBeUndefined();
    await act(async () => void fireEvent.pointerMove(document, { ...first, ...at(23) }));
    expect(drawn()).toMatch(/^SS\+22 to SS\+24/);
  });
});

test('a press without a drag proposes the longest claim there; a modified one is the browser’s', async () => {
  await show();
  fireEvent.click(freeHour(17), { ctrlKey: true });
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(freeHour(17));
  expect((await popover()).textContent).toContain('SS+15 to SS+19');
  expect(await claimButton(4)).toBeTruthy();
});

test('a press on another’s bar is no drag, also right after its hours changed: it opens the waitlist for the hours of now', async () => {
  await show();
  const bar = (hours: string): HTMLElement =>
    screen.getByRole('button', { name: new RegExp(`^Mira Stormcrow, ${hours}`) });
  const pressed = bar('SS\\+19 to SS\\+22');
  fireEvent.pointerDown(pressed, { ...mouse, clientX: middleOf(20) });
  claimArrives({ ...taken, hour_end: 21 });
  await act(async () => void fireEvent.pointerMove(document, { ...mouse, clientX: middleOf(18) }));
  fireEvent.pointerUp(document, mouse);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByText(/^SS\+\d+ to SS\+\d+ · /)).toBeNull();
  fireEvent.click(bar('SS\\+19 to SS\\+21'));
  const dialog = await screen.findByRole('dialog', { name: 'Waitlist: Fire Library' });
  expect(dialog.textContent).toContain('SS+19 to SS+21');
});

test('a tile of an unclaimed spot proposes its first upcoming hours', async () => {
  await show('/');
  fireEvent.click(screen.getByRole('link', { name: 'Claim Cobra Bastion' }));
  expect((await screen.findByRole('dialog')).textContent).toContain('SS+12 to SS+16');
});

test('Show brings the claim’s card into view', async () => {
  await show('/');
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  await drag(14, 16, { on: strip(), before: 0 });
  releasePointer();
  await userEvent.click(await claimButton(3));
  await userEvent.click(await screen.findByRole('button', { name: 'Show' }));
  await expect.poll(() => scrolled.mock.contexts.length).toBeGreaterThan(0);
  expect(scrolled.mock.contexts[0]).toBe(screen.getByRole('article'));
});
