import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Button } from '../button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

function Page({
  onConfirm,
  errorText,
}: {
  onConfirm: () => Promise<void>;
  errorText?: (error: unknown) => string;
}): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Delete…</Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Delete event"
        text="3 claims go with it."
        confirmLabel="Delete event"
        onConfirm={onConfirm}
        errorText={errorText}
      />
    </>
  );
}

test('Cancel has the focus, the action is last, and the focus returns to where it was', async () => {
  const onConfirm = vi.fn();
  render(<Page onConfirm={onConfirm} />);
  const opener = screen.getByRole('button', { name: 'Delete…' });
  await userEvent.click(opener);
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual([
    'Cancel',
    'Delete event',
  ]);
  expect(document.activeElement?.textContent).toBe('Cancel');
  await userEvent.keyboard('{Enter}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(onConfirm).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(opener);
});

test('a failed action shows the reason and keeps the dialog open', async () => {
  render(
    <Page
      onConfirm={() => Promise.reject(new Error('no'))}
      errorText={() => 'The server refused.'}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Delete…' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete event' }));
  expect((await screen.findByRole('alert')).textContent).toBe('The server refused.');
});
