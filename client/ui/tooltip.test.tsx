import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { TooltipHost, useTip } from './tooltip.tsx';

function Hour({ taken }: { taken: boolean }): ReactNode {
  const tip = useTip(taken ? 'Taken' : 'Can still be chosen');
  return <button {...tip} type="button" aria-label={taken ? 'SS+13, taken' : 'SS+13, free'} />;
}
const page = (taken = false): ReactNode => (
  <>
    <Hour taken={taken} />
    {/* A dialog, for one, keeps presses and keys to itself. */}
    <button type="button" onPointerDown={(event) => event.nativeEvent.stopPropagation()}>
      Elsewhere
    </button>
    <TooltipHost />
  </>
);
const tooltipText = (): string | null => screen.queryByRole('tooltip')?.textContent ?? null;

test('a press elsewhere and Escape close it, whatever keeps them to itself', async () => {
  render(page());
  document.body.addEventListener('pointerdown', (event) => event.stopPropagation(), { once: true });
  await userEvent.click(screen.getByRole('button', { name: 'SS+13, free' }));
  expect(tooltipText()).toBe('Can still be chosen');
  await userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(tooltipText()).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'SS+13, free' }));
  await userEvent.keyboard('{Escape}');
  expect(tooltipText()).toBeNull();
});

test('closes when its anchor changes', async () => {
  const { rerender } = render(page());
  await userEvent.click(screen.getByRole('button', { name: 'SS+13, free' }));
  expect(tooltipText()).toBe('Can still be chosen');
  rerender(page(true));
  await waitFor(() => expect(tooltipText()).toBeNull());
});
