import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { otherDays } from '../../claiming/day-claims.ts';
import {
  middleOf,
  mouse,
  resetScene,
  setUpScene,
  show,
  strip,
} from '../../claiming/test/claim-scene.tsx';
import './strip-hint.tsx';

// Each render of a card or tile calls it.
vi.mock('../../claiming/day-claims.ts', { spy: true });

beforeEach(setUpScene);
afterEach(resetScene);

const tile = (): HTMLElement => screen.getByRole('link', { name: 'Claim Cobra Bastion' });
const stripOf = (of: Element): HTMLElement => {
  const found = of.closest('[data-spot]')?.querySelector<HTMLElement>('[data-strip]');
  if (!found) throw new Error('no strip');
  return found;
};
const hint = (): string | undefined => document.querySelector('[class*="bubble"]')?.textContent;

/** The hint is loaded when a spot is first pointed at. */
async function point(on: HTMLElement, hour: number, pointer: object = mouse): Promise<void> {
  fireEvent.pointerOver(on);
  await vi.waitFor(() => {
    fireEvent.pointerMove(on, { ...pointer, clientX: middleOf(hour, 0) });
    expect(hint()).toBeTruthy();
  });
}

test('a tile’s strip shows a scale and the hour below the pointer, and no card renders for it', async () => {
  await show('/');
  const on = stripOf(tile());
  vi.mocked(otherDays).mockClear();
  await point(on, 16);
  expect(hint()).toBe('06121824SS+16 · 16:00 your time');
  fireEvent.pointerMove(on, { ...mouse, clientX: middleOf(17, 0) });
  expect(hint()).toContain('SS+17');
  expect(otherDays).not.toHaveBeenCalled();
  fireEvent.pointerMove(tile(), { ...mouse, clientX: 5 });
  expect(hint()).toBeUndefined();
});

test('a card’s strip shows the hour and who has it, without a second scale', async () => {
  await show('/');
  await point(strip(), 20);
  expect(hint()).toBe('SS+20 · 20:00 your timeMira Stormcrow');
  fireEvent.scroll(document);
  expect(hint()).toBeUndefined();
});

test('touching a strip shows the hour until release; dragging along it draws hours', async () => {
  await show('/');
  const on = stripOf(tile());
  const finger = { pointerType: 'touch', button: 0, buttons: 1, pointerId: 3 };
  await point(on, 14, finger);
  expect(hint()).toContain('SS+14');
  fireEvent.pointerUp(on, { ...finger, buttons: 0 });
  expect(hint()).toBeUndefined();
  fireEvent.pointerDown(on, { ...finger, clientX: middleOf(14, 0) });
  fireEvent.pointerMove(on, { ...finger, clientX: middleOf(16, 0) });
  expect(await screen.findByText('SS+14 to SS+17 · 14:00 to 17:00')).toBeTruthy();
  expect(hint()).toBeUndefined();
  fireEvent.pointerUp(document, finger);
  expect(await screen.findByRole('button', { name: 'Claim 3 h' })).toBeTruthy();
});

test('a touch that becomes a scroll chooses nothing', async () => {
  await show('/');
  const on = stripOf(tile());
  const finger = { pointerType: 'touch', button: 0, buttons: 1, pointerId: 3 };
  fireEvent.pointerDown(on, { ...finger, clientX: middleOf(14, 0) });
  fireEvent.pointerMove(on, { ...finger, clientX: middleOf(14, 0) + 30 });
  fireEvent.pointerCancel(on, finger);
  fireEvent.pointerMove(on, { ...finger, clientX: middleOf(18, 0) });
  expect(screen.queryByText(/^SS\+14 to/)).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});
