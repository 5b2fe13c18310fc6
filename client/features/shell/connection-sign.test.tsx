import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { applySnapshot, clearBoard, setConnection } from '../../state/board-store.ts';
import { applyPresence, clearPresence } from '../../state/presence-store.ts';
import { TooltipHost } from '../../ui/tooltip.tsx';
import { ConnectionStatus } from './navbar.tsx';

afterEach(() => {
  clearBoard();
  clearPresence();
});

test('shows how many people watch while the connection is live, explained on focus, and never announced', () => {
  applySnapshot(1, {});
  setConnection('live');
  render(
    <>
      <ConnectionStatus />
      <TooltipHost />
    </>,
  );
  const sign = screen.getByRole('button', { name: 'Live' });
  act(() => applyPresence({ op: 'state', watching: 12, choosers: [] }));
  expect(screen.getByRole('button', { name: 'Live 12 watching' })).toBe(sign);
  act(() => sign.click());
  expect(screen.getByRole('tooltip').textContent).toBe(
    'Live: changes appear as they happen. 12 people have the board open right now, including you.',
  );
  expect(screen.getByRole('status').textContent).toBe('Live: changes appear as they happen.');
  act(() => setConnection('polling'));
  expect(sign.textContent).toBe('Every 10 s');
});
