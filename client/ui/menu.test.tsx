import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { lazyPart } from '../lib/loading/lazy-part.ts';
import { Menu } from './menu.tsx';
import { MenuChoices, MenuItem, MenuList } from './menu-list.tsx';
import { ToastHost } from './toast.tsx';

const rename = vi.fn();
const choose = vi.fn();
beforeEach(() => {
  rename.mockReset();
  choose.mockReset();
  render(
    <>
      <Menu trigger={<button type="button">Actions</button>}>
        <MenuList>
          <MenuItem onSelect={rename}>Rename</MenuItem>
          <MenuItem blocked="Only one guild has it" onSelect={rename}>
            Merge
          </MenuItem>
          <MenuChoices
            label="Theme"
            value="dark"
            options={[
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            onChange={choose}
          />
        </MenuList>
      </Menu>
      <button type="button">After</button>
      <p>Elsewhere</p>
    </>,
  );
});
const focused = (): string | null | undefined => document.activeElement?.textContent;

test('arrow keys walk around the items, letters jump', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  await userEvent.keyboard('{ArrowDown}');
  expect(focused()).toBe('Rename');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(focused()).toBe('Light');
  await userEvent.keyboard('{End}{ArrowDown}');
  expect(focused()).toBe('Rename');
  await userEvent.keyboard('d');
  expect(focused()).toBe('Dark');
});

test.each(['{Enter}', ' ', '{ArrowDown}'])(
  'opened by a key (%s), the first item has the focus',
  async (key) => {
    screen.getByRole('button', { name: 'Actions' }).focus();
    await userEvent.keyboard(key);
    expect(focused()).toBe('Rename');
  },
);

test('Escape closes and gives the focus back', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(focused()).toBe('Actions');
});

test('a new width closes it, and a new height, as by a phone’s address bar, does not', async () => {
  const { innerWidth, innerHeight } = window;
  onTestFinished(() => void Object.assign(window, { innerWidth, innerHeight }));
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  window.innerHeight = innerHeight - 56;
  act(() => void window.dispatchEvent(new Event('resize')));
  expect(screen.getByRole('menu')).toBeTruthy();
  window.innerWidth = innerWidth + 200;
  act(() => void window.dispatchEvent(new Event('resize')));
  expect(screen.queryByRole('menu')).toBeNull();
});

test('a press elsewhere closes', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  await userEvent.click(screen.getByText('Elsewhere'));
  expect(screen.queryByRole('menu')).toBeNull();
});

test('the selected item is marked; choosing another reports it and closes', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  expect(screen.getByRole('menuitemradio', { name: 'Dark' }).getAttribute('aria-checked')).toBe(
    'true',
  );
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Light' }));
  expect(choose).toHaveBeenCalledWith('light');
  expect(screen.queryByRole('menu')).toBeNull();
});

test('a blocked item says why, and does nothing', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Actions' }));
  const item = screen.getByRole('menuitem', { name: 'Merge Only one guild has it' });
  expect(item.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(item);
  expect(rename).not.toHaveBeenCalled();
  expect(screen.getByRole('menu')).toBeTruthy();
});

test('Tab leaves and continues from the button; the arrow opens like a press, and a second press closes', async () => {
  const button = screen.getByRole('button', { name: 'Actions' });
  button.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getByRole('menu', { name: 'Actions' })).toBeTruthy();
  await userEvent.tab();
  expect(screen.queryByRole('menu')).toBeNull();
  expect(screen.getByRole('button', { name: 'After' })).toBe(document.activeElement);
  await userEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  await userEvent.click(button);
  expect(screen.queryByRole('menu')).toBeNull();
});

test('a list that fails to load shows an error with an action, and is requested again at the next press', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 502 }));
  // React says it there, too.
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  const Later = lazyPart(async () => {
    if (isDown) throw new TypeError('Failed to fetch dynamically imported module');
    return () => (
      <MenuList>
        <MenuItem onSelect={rename}>Late</MenuItem>
      </MenuList>
    );
  });
  render(
    <>
      <Menu trigger={<button type="button">Fetched</button>}>
        <Later />
      </Menu>
      <ToastHost />
    </>,
  );
  const button = screen.getByRole('button', { name: 'Fetched' });
  await userEvent.click(button);
  expect(
    await screen.findByText(
      "This part of the page couldn't be loaded. Try again, or reload the page.",
    ),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy();
  expect(button.getAttribute('aria-expanded')).toBe('false');
  isDown = false;
  await userEvent.click(button);
  expect(await screen.findByRole('menuitem', { name: 'Late' })).toBeTruthy();
  consoleError.mockClear();
  vi.unstubAllGlobals();
});
