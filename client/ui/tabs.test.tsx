import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

describe('on a phone', () => {
  const PHONE = '(max-width: 479.98px)';
  let isPhone = true;
  const listeners = new Set<() => void>();
  const turn = (): void => {
    isPhone = !isPhone;
    act(() => {
      for (const listener of listeners) listener();
    });
  };
  beforeEach(() => {
    isPhone = true;
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === PHONE && isPhone,
      addEventListener: (_: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    }));
  });
  afterEach(() => vi.unstubAllGlobals());

  test.each(['keys', 'settings'] as const)(
    'turning it keeps what was typed and the focus: %s',
    async (value) => {
      const beside = {
        label: 'Settings',
        icon: null,
        to: '/settings',
        pages: [{ value: 'settings' as const, label: 'Guild' }],
      };
      render(
        <MemoryRouter>
          <Tabs<'keys' | 'claims' | 'settings'>
            label="Dashboard"
            value={value}
            tabs={TABS}
            beside={beside}
            onChange={() => {}}
          >
            <input aria-label="Name" />
          </Tabs>
        </MemoryRouter>,
      );
      const field = screen.getByRole('textbox', { name: 'Name' });
      expect(
        screen.getByRole('region', { name: value === 'keys' ? 'Keys' : 'Guild' }).tabIndex,
      ).toBe(-1);
      await userEvent.type(field, 'Winter');
      turn();
      expect(screen.getByRole('tablist')).toBeTruthy();
      expect(screen.queryByRole('region', { name: 'Settings' }) === null).toBe(value === 'keys');
      expect(
        screen.getByRole('textbox', { name: 'Name' }) === field && document.activeElement === field,
      ).toBe(true);
      turn();
      expect(screen.queryByRole('tablist')).toBeNull();
      expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Winter');
    },
  );
});
