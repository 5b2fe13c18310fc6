import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { descriptionOf } from '../test/description.ts';
import { Dialog } from './dialog/dialog.tsx';
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

test('closes on a second press', async () => {
  const help = renderHelp();
  await userEvent.click(help);
  await userEvent.click(help);
  expect(tooltip()).toBeNull();
  await userEvent.click(help);
  expect(tooltip()).toBe(TEXT);
});

test('Escape closes it and leaves the dialog around it open', async () => {
  const onOpenChange = vi.fn();
  render(
    <>
      <Dialog open onOpenChange={onOpenChange} title="Join the waitlist">
        <Help topic="Waitlist" text={TEXT} />
      </Dialog>
      <TooltipHost />
    </>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Help: Waitlist' }));
  await userEvent.keyboard('{Escape}');
  expect(tooltip()).toBeNull();
  expect(onOpenChange).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false);
});

test('opens on keyboard focus and closes when the focus leaves', async () => {
  renderHelp();
  await userEvent.tab();
  expect(tooltip()).toBe(TEXT);
  await userEvent.tab();
  expect(tooltip()).toBeNull();
});

test('has its text as its description, also while closed', () => {
  expect(descriptionOf(renderHelp())).toBe(TEXT);
});
