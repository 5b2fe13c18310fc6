import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

function EditDialog({ busy, onClose }: { busy: boolean; onClose: () => void }): ReactNode {
  return (
    <Dialog open onOpenChange={onClose} title="Edit event">
      <DialogActions onCancel={onClose} busy={busy}>
        <Button busy={busy}>Save</Button>
      </DialogActions>
    </Dialog>
  );
}

test('nothing closes a dialog while its form saves; then everything does', async () => {
  const onClose = vi.fn();
  const { rerender } = render(<EditDialog busy onClose={onClose} />);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).not.toHaveBeenCalled();
  rerender(<EditDialog busy={false} onClose={onClose} />);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledTimes(3);
});

test('without a visible title it begins in its content, and has a close button', async () => {
  const onClose = vi.fn();
  render(
    <Dialog open onOpenChange={onClose} title="Search" hideTitle>
      <input aria-label="Text" />
    </Dialog>,
  );
  await waitFor(() => expect(document.activeElement === screen.getByLabelText('Text')).toBe(true));
  await userEvent.keyboard('{Tab}{Enter}');
  expect(onClose).toHaveBeenCalledTimes(1);
});

function TypingPage(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add</Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Add names">
        <input
          aria-label="Names"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <DialogActions onCancel={() => setOpen(false)} busy={false} isChanged={typed !== ''}>
          <Button>Save</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

const QUESTION = 'Discard what you typed?';

// A dialog that has ended goes back one entry in the history a moment later, which must not reach the next test.
afterEach(async () => {
  cleanup();
  await new Promise((resolve) => setTimeout(resolve, 50));
});

test('an untouched form closes at once', async () => {
  render(<TypingPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test.each([
  ['Escape', () => userEvent.keyboard('{Escape}')],
  ['the close button', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ['Back', async () => window.history.back()],
  ['the veil', () => userEvent.click(screen.getByRole('dialog').parentElement ?? document.body)],
])('%s asks before typed work is lost', async (_, leave) => {
  render(<TypingPage />);
  const opener = screen.getByRole('button', { name: 'Add' });
  await userEvent.click(opener);
  await userEvent.type(screen.getByLabelText('Names'), 'Mira');
  await leave();
  expect(await screen.findByRole('alertdialog', { name: QUESTION })).toBeTruthy();
  // After Back the question is drawn a moment before it takes the keys from the dialog below.
  await waitFor(async () => {
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
  expect(screen.getByLabelText('Names')).toHaveProperty('value', 'Mira');
  await leave();
  const question = await screen.findByRole('alertdialog', { name: QUESTION });
  await waitFor(() => expect(getComputedStyle(question).pointerEvents).not.toBe('none'));
  await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await vi.waitFor(() => expect(document.activeElement).toBe(opener));
});

test('Cancel discards without a question', async () => {
  render(<TypingPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await userEvent.type(screen.getByLabelText('Names'), 'Mira');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('when typed work was discarded or saved, Back leads to the page before again', async () => {
  window.history.pushState(null, '', '/before');
  window.history.pushState(null, '', '/page');
  render(<TypingPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await userEvent.type(screen.getByLabelText('Names'), 'Mira');
  const left: string[] = [];
  window.addEventListener('popstate', () => left.push(window.location.pathname));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await vi.waitFor(() => expect(window.history.state).toBeNull());
  expect(window.location.pathname).toBe('/page');
  window.history.back();
  await vi.waitFor(() => expect(left).toEqual(['/before']));
});
