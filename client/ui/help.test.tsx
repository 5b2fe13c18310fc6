import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Help } from './help.tsx';
import { TooltipHost } from './tooltip.tsx';

const TEXT = 'Join it for hours that are taken.';

function renderHelp(): HTMLElement {
  render(
    <>
      <Help topic="Waitlist" text={TEXT} />
      <TooltipHost />
    </>,
  );
  return screen.getByRole('button', { name: 'Help: Waitlist' });
}
const tooltip = (): string | null => screen.queryByRole('tooltip')?.textContent ?? null;

test('opens on a press and closes on Escape', async () => {
  const help = renderHelp();
  expect(tooltip()).toBeNull();
  await userEvent.click(help);
  expect(tooltip()).toBe(TEXT);
  await userEvent.keyboard('{Escape}');
  expect(tooltip()).toBeNull();
});

test('opens on keyboard focus and closes when the focus leaves', async () => {
  renderHelp();
  await userEvent.tab();
  expect(tooltip()).toBe(TEXT);
  await userEvent.tab();
  expect(tooltip()).toBeNull();
});

test('has its text as its description, also while closed', () => {
  expect(renderHelp().getAttribute('aria-description')).toBe(TEXT);
});
