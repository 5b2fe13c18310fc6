import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { onRefresh } from '../../live/refresh.ts';
import { BoardFailed } from './board-page.tsx';

afterEach(() => vi.unstubAllGlobals());

it('another try asks for the board, and does not leave the page: where there is no network nothing would come back', async () => {
  const reload = vi.fn();
  const refresh = vi.fn();
  vi.stubGlobal('location', { ...location, reload });
  const stop = onRefresh(refresh);
  render(<BoardFailed />);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  stop();
  expect(refresh).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
});
