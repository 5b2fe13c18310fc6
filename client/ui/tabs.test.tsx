import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Tabs } from './tabs.tsx';

afterEach(() => vi.restoreAllMocks());

const TABS = [
  { value: 'keys', label: 'Keys' },
  { value: 'claims', label: 'Claims' },
] as const;

function Page(): ReactNode {
  const [value, setValue] = useState<'keys' | 'claims'>('keys');
  return (
    <Tabs label="Dashboard" value={value} tabs={TABS} onChange={setValue}>
      What {value} shows
    </Tabs>
  );
}
const tab = (name: string): HTMLElement => screen.getByRole('tab', { name });

test('a press of the mouse chooses a tab, and the browser gives it the focus: by script it would draw a box around it', () => {
  render(<Page />);
  const focus = vi.spyOn(HTMLElement.prototype, 'focus');
  // The browser's own doing is not prevented.
  expect(fireEvent.mouseDown(tab('Claims'), { button: 0 })).toBe(true);
  expect(tab('Claims').getAttribute('aria-selected')).toBe('true');
  expect(screen.getByRole('tabpanel').textContent).toBe('What claims shows');
  expect(focus).not.toHaveBeenCalled();
});

test('another button of the mouse, or Ctrl with it, chooses nothing', () => {
  render(<Page />);
  fireEvent.mouseDown(tab('Claims'), { button: 2 });
  fireEvent.mouseDown(tab('Claims'), { button: 0, ctrlKey: true });
  expect(tab('Keys').getAttribute('aria-selected')).toBe('true');
});

test('arrow keys go on from the pressed tab, and Enter chooses', async () => {
  render(<Page />);
  await userEvent.click(tab('Claims'));
  expect(document.activeElement).toBe(tab('Claims'));
  await userEvent.keyboard('{ArrowLeft}');
  await vi.waitFor(() => expect(document.activeElement).toBe(tab('Keys')));
  expect(tab('Claims').getAttribute('aria-selected')).toBe('true');
  await userEvent.keyboard('{Enter}');
  expect(tab('Keys').getAttribute('aria-selected')).toBe('true');
});

test('the focus is drawn once arrow keys move it, and no longer after the next press', async () => {
  render(<Page />);
  const isDrawn = (): boolean => screen.getByRole('tablist').matches('[data-keyboard]');
  await userEvent.click(tab('Claims'));
  expect(isDrawn()).toBe(false);
  await userEvent.keyboard('{ArrowLeft}');
  await vi.waitFor(() => expect(document.activeElement).toBe(tab('Keys')));
  expect(isDrawn()).toBe(true);
  await userEvent.click(tab('Claims'));
  expect(isDrawn()).toBe(false);
});
