import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setServerSaveClock } from '../../state/clock.ts';
import { closeOverlay, isOverlayOpen } from '../../state/overlays.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { TooltipHost } from '../../ui/tooltip.tsx';
import { ServerSaveCounter } from './navbar.tsx';

beforeEach(() => {
  // 22:36 UTC is 14:36 Pacific, which is SS+13.
  vi.useFakeTimers({ now: new Date('2026-11-21T22:36:00Z'), shouldAdvanceTime: true });
  render(
    <LocalTimeContext value={(_, hour) => `local ${hour}`}>
      <ServerSaveCounter />
      <TooltipHost />
    </LocalTimeContext>,
  );
});
afterEach(() => {
  act(() =>
    setServerSaveClock({
      ss_time_zone: 'America/Los_Angeles',
      ss_hour: 1,
      server_time: new Date().toISOString(),
    }),
  );
  vi.useRealTimers();
});

test('shows the SS hour and its remaining minutes', () => {
  expect(screen.getByRole('button').textContent).toBe('SS+1324 min left');
});

test('it moves on with the minutes', () => {
  act(() => vi.advanceTimersByTime(24 * 60_000));
  expect(screen.getByRole('button').textContent).toBe('SS+1460 min left');
});

test("it follows the server's clock and zone, not this computer's", () => {
  act(() =>
    setServerSaveClock({
      ss_time_zone: 'Europe/Berlin',
      ss_hour: 10,
      server_time: '2026-11-21T22:50:00Z',
    }),
  );
  expect(screen.getByRole('button').textContent).toBe('SS+1310 min left');
});

test("the viewer's own time shows on hover and in the help, which a press opens", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.hover(screen.getByRole('button'));
  expect(screen.getByRole('tooltip').textContent).toMatch(
    /your time\. SS\+14 starts at local 14\.$/,
  );
  await user.click(screen.getByRole('button'));
  expect(screen.queryByRole('tooltip')).toBeNull();
  expect(isOverlayOpen('help')).toBe(true);
  act(() => closeOverlay('help'));
});
