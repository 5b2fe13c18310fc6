import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeAll, expect, it } from 'vitest';
import { begunCount, isHalfTyped, watchTyping } from './unsaved-input.ts';

beforeAll(watchTyping);

const leave = (): void => (document.activeElement as HTMLElement | null)?.blur();

it('a page that was only looked at holds nothing', async () => {
  render(
    <>
      <form aria-label="Claim">
        <input aria-label="Name" defaultValue="Riley" />
      </form>
      <button type="button">Free</button>
    </>,
  );
  await userEvent.click(screen.getByText('Free'));
  leave();
  expect(isHalfTyped()).toBe(false);
});

it('input of a form counts as unsaved until the form is gone', async () => {
  const { rerender } = render(
    <form>
      <button type="button">SS+3</button>
    </form>,
  );
  await userEvent.click(screen.getByText('SS+3'));
  leave();
  expect(isHalfTyped()).toBe(true);
  rerender(<p>Done</p>);
  expect(isHalfTyped()).toBe(false);
});

it('a field outside a form counts while something is in it, or the cursor', async () => {
  render(<input aria-label="Search" />);
  const field = screen.getByLabelText('Search');
  await userEvent.type(field, 'cobra');
  leave();
  expect(isHalfTyped()).toBe(true);
  await userEvent.clear(field);
  expect(isHalfTyped()).toBe(true);
  leave();
  expect(isHalfTyped()).toBe(false);
});

it('a choice outside a form counts until it is taken back', async () => {
  render(
    <select aria-label="Status">
      <option>All</option>
      <option>Banned</option>
    </select>,
  );
  const field = screen.getByLabelText('Status');
  await userEvent.selectOptions(field, 'Banned');
  leave();
  expect(isHalfTyped()).toBe(true);
  await userEvent.selectOptions(field, 'All');
  leave();
  expect(isHalfTyped()).toBe(false);
});

it.each(['dialog', 'alertdialog', 'menu'])('an open %s counts', (role) => {
  render(<div role={role} />);
  expect(isHalfTyped()).toBe(true);
});

it('keeps no removed form, however many are opened in a tab', async () => {
  for (let opened = 0; opened < 10; opened += 1) {
    const { unmount } = render(
      <form>
        <button type="button">SS+3</button>
      </form>,
    );
    await userEvent.click(screen.getByText('SS+3'));
    unmount();
  }
  expect(begunCount()).toBeLessThanOrEqual(1);
});
