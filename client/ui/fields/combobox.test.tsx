import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Dialog } from '../dialog/dialog.tsx';
import { Field } from './field.tsx';
import { SuggestedInput } from './suggested-input.tsx';

const NAMES = ['Arden Vale', 'Mira Stormcrow', 'Mira Vale'];
const submitted = vi.fn();

function Recipient(): ReactNode {
  const [name, setName] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    submitted(name);
  };
  return (
    <form onSubmit={submit}>
      <Field label="Character">
        <SuggestedInput
          value={name}
          suggestions={NAMES.filter((one) => one.includes(name))}
          onChange={setName}
        />
      </Field>
      <button type="submit">Send</button>
    </form>
  );
}

const box = (): HTMLInputElement => screen.getByRole('combobox', { name: 'Character' });
const listed = (): (string | null)[] =>
  screen.queryAllByRole('option').map(({ textContent }) => textContent);
beforeEach(() => submitted.mockClear());

test('typing narrows the suggestions, arrow keys and Enter choose one, the next Enter submits it', async () => {
  render(<Recipient />);
  const user = userEvent.setup();
  await user.type(box(), 'Mira');
  expect(listed()).toEqual(['Mira Stormcrow', 'Mira Vale']);
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(box().getAttribute('aria-activedescendant')).toBe(
    screen.getByRole('option', { name: 'Mira Vale' }).id,
  );
  await user.keyboard('{Enter}');
  expect(box().value).toBe('Mira Vale');
  expect([listed(), document.activeElement]).toEqual([[], box()]);
  expect(submitted).not.toHaveBeenCalled();
  await user.keyboard('{Enter}');
  expect(submitted).toHaveBeenCalledWith('Mira Vale');
});

test('any text is accepted, and a press chooses', async () => {
  render(<Recipient />);
  const user = userEvent.setup();
  await user.type(box(), 'M{Enter}');
  expect(submitted).toHaveBeenCalledWith('M');
  await user.click(screen.getByRole('option', { name: 'Mira Stormcrow' }));
  expect(box().value).toBe('Mira Stormcrow');
  await user.clear(box());
  await user.type(box(), 'Nobody');
  expect(box().getAttribute('aria-expanded')).toBe('false');
});

test('leaving and Escape close the list; only the next Escape closes the dialog around it', async () => {
  const closed = vi.fn();
  render(
    <Dialog open onOpenChange={closed} title="Hand over">
      <Recipient />
    </Dialog>,
  );
  const user = userEvent.setup();
  await user.click(box());
  expect(listed()).toEqual(NAMES);
  await user.tab();
  expect(listed()).toEqual([]);
  await user.click(box());
  await user.keyboard('{Escape}');
  expect([listed(), closed.mock.calls]).toEqual([[], []]);
  await user.keyboard('{Escape}');
  expect(closed).toHaveBeenCalledWith(false);
});
