import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { onRefresh } from '../../live/refresh.ts';
import { useSession } from '../../state/session-store.ts';
import { BoardFailed } from './board-page.tsx';
import { BoardSkeleton } from './board-skeleton.tsx';

afterEach(() => vi.unstubAllGlobals());

it('a retry requests the board without a navigation, which would fail offline', async () => {
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

it('the skeleton of a member’s board has the line of hunts: nothing moves when the board takes its place', () => {
  const hasLine = (): boolean => document.querySelector('[data-hunts]') !== null;
  const { unmount } = render(<BoardSkeleton />);
  expect(hasLine()).toBe(false);
  unmount();
  const arden = {
    characterName: 'Arden Vale',
    memberType: 'member',
    accessKey: 'K',
    isVerified: true,
    createdAt: '',
  };
  useSession.setState({ profiles: [arden], current: arden });
  render(<BoardSkeleton />);
  expect(hasLine()).toBe(true);
  useSession.setState({ profiles: [], current: null });
});
