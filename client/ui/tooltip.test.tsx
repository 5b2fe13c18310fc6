import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { TooltipHost, useTip } from './tooltip.tsx';

function Hour({ taken }: { taken: boolean }): ReactNode {
  const tip = useTip(taken ? 'Taken' : 'Can still be chosen');
  return <button {...tip} type="button" aria-label={taken ? 'SS+13, taken' : 'SS+13, free'} />;
}
function Described(): ReactNode {
  const tip = useTip('Until midnight');
  return <button {...tip} type="button" aria-label="Buy" aria-describedby="price" />;
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

test('a press elsewhere and Escape close it, even if their propagation is stopped', async () => {
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

describe('with a pointer', () => {
  const at = (element: Element, y: number, height: number): void =>
    void vi
      .spyOn(element, 'getBoundingClientRect')
      .mockReturnValue(new DOMRect(100, y, 80, height));
  const mouse = (x: number, y: number) => ({ pointerType: 'mouse', clientX: x, clientY: y });
  /** The anchor is 20 px high below the tooltip of 30 px, with a gap of 6 px between them. */
  function hovered(): HTMLElement {
    render(page());
    const hour = screen.getByRole('button', { name: 'SS+13, free' });
    fireEvent.pointerEnter(hour, mouse(110, 110));
    at(hour, 100, 20);
    at(screen.getByRole('tooltip'), 64, 30);
    return hour;
  }

  test('stays while the pointer is on it or on the way to it, and closes when it leaves', () => {
    fireEvent.pointerLeave(hovered(), mouse(110, 97));
    expect(tooltipText()).toBe('Can still be chosen');
    fireEvent.pointerMove(document.body, mouse(150, 70));
    expect(tooltipText()).toBe('Can still be chosen');
    fireEvent.pointerMove(document.body, mouse(150, 60));
    expect(tooltipText()).toBeNull();
  });

  test('closes when the pointer leaves its anchor to another side', () => {
    fireEvent.pointerLeave(hovered(), mouse(110, 121));
    expect(tooltipText()).toBeNull();
  });

  test('moves elsewhere change nothing while the keyboard is on the anchor', () => {
    hovered();
    fireEvent.pointerMove(document.body, mouse(500, 500));
    expect(tooltipText()).toBe('Can still be chosen');
  });
});

test('describes its anchor beside existing descriptions', async () => {
  render(
    <>
      <Described />
      <TooltipHost />
    </>,
  );
  const button = screen.getByRole('button');
  await userEvent.click(button);
  expect(button.getAttribute('aria-describedby')).toBe('price tip');
  await userEvent.keyboard('{Escape}');
  expect(button.getAttribute('aria-describedby')).toBe('price');
});

test('closes when its anchor changes', async () => {
  const { rerender } = render(page());
  await userEvent.click(screen.getByRole('button', { name: 'SS+13, free' }));
  expect(tooltipText()).toBe('Can still be chosen');
  rerender(page(true));
  await waitFor(() => expect(tooltipText()).toBeNull());
});
