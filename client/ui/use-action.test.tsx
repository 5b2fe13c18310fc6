import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query.ts';
import { ApiError } from '../api/request.ts';
import { dismissToasts } from '../test/dismiss-toasts.ts';
import { Button } from './button.tsx';
import { ToastHost } from './toast.tsx';
import { useAction } from './use-action.ts';

afterEach(dismissToasts);

interface PressProps {
  work: (what: string) => Promise<string>;
  done?: (result: string, what: string) => void;
  failed?: (reason: string) => string;
}

function Press({ work, done, failed }: PressProps) {
  const action = useAction({ work, ...(done && { done }), ...(failed && { failed }) });
  return (
    <>
      <Button busy={action.isBusy} onClick={() => action.run('spot 7')}>
        Save
      </Button>
      <p>{action.failure instanceof ApiError ? action.failure.code : 'no failure'}</p>
    </>
  );
}

const refusal = (): ApiError => new ApiError(409, 'claim.timeConflict', {}, 'Taken');

test('two presses at once are one, and the button is busy until the answer', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = vi.fn(() => promise);
  const done = vi.fn();
  render(<Press work={work} done={done} />);
  const button = screen.getByRole('button', { name: 'Save' });
  act(() => {
    button.click();
    button.click();
  });
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  expect(work).toHaveBeenCalledOnce();
  resolve('stored');
  await waitFor(() => expect(done).toHaveBeenCalledExactlyOnceWith('stored', 'spot 7'));
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull());
});

test('a failure is a message with its reason, also where the button is gone', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  render(<ToastHost />);
  const page = render(
    <Press work={() => promise} failed={(reason) => `Saving failed: ${reason}`} />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  page.unmount();
  reject(refusal());
  expect(await screen.findByText(/^Saving failed: /)).toBeTruthy();
});

test('without a message the failure stays, for the component to show, until the next try', async () => {
  const work = vi.fn().mockRejectedValueOnce(refusal()).mockResolvedValue('stored');
  render(<Press work={work} />);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('claim.timeConflict')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('no failure')).toBeTruthy();
});

test('what was typed meanwhile neither frees the button nor hides the failure', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  function Form() {
    const action = useAction({ work: () => promise });
    return (
      <>
        <input aria-label="Name" onChange={action.forget} />
        <Button busy={action.isBusy} onClick={() => action.run()}>
          Save
        </Button>
        <p>{action.failure instanceof ApiError ? action.failure.code : 'no failure'}</p>
      </>
    );
  }
  render(<Form />);
  const button = screen.getByRole('button', { name: 'Save' });
  await userEvent.click(button);
  await userEvent.type(screen.getByLabelText('Name'), 'Mira');
  expect(button.getAttribute('aria-busy')).toBe('true');
  reject(refusal());
  expect(await screen.findByText('claim.timeConflict')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Name'), 'x');
  expect(await screen.findByText('no failure')).toBeTruthy();
});

test('the end of a press is that of the page as it was pressed', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const ended = vi.fn();
  const page = render(<Press work={() => promise} done={() => ended('as pressed')} />);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  page.rerender(<Press work={() => promise} done={() => ended('as drawn since')} />);
  resolve('stored');
  await waitFor(() => expect(ended).toHaveBeenCalledExactlyOnceWith('as pressed'));
});

test('nothing that was sent is kept', async () => {
  const page = render(<Press work={async () => 'stored'} />);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  page.unmount();
  await waitFor(() => expect(queryClient.getMutationCache().getAll()).toEqual([]));
});
