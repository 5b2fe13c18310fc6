import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
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
