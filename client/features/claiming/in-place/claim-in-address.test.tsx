import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useShownSpot } from '../../../state/board-place.ts';
import { applyChanges, applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import { useSession } from '../../../state/session-store.ts';
import { aCategory, aClaim, aConfig, anActiveEvent, aSpot } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { Board } from '../../board/board.tsx';

// 21:30 UTC is SS+12.
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
  useServerSaveClock.setState({ ss_time_zone: 'UTC', ss_hour: 9, ahead_ms: 0 });
  useSession.setState({ status: 'ready', profiles: [], current: null });
});
afterEach(() => {
  vi.useRealTimers();
  clearBoard();
  useShownSpot.setState({ spot: null });
  useServerSaveClock.setState({ ss_time_zone: 'America/Los_Angeles', ss_hour: 1, ahead_ms: 0 });
  useSession.setState({ status: 'checking', profiles: [], current: null });
});

function show(address: string): void {
  applySnapshot(1, {
    respawn: [aSpot(1, 'Fire Library', 10), aSpot(2, 'Sea Serpents South', 10)],
    category: [aCategory(10, 'Ankrahmun')],
    claim: [aClaim({ id: 7, respawn_id: 2, date: '2026-11-23' })],
    event: [anActiveEvent()],
    config: [aConfig()],
  });
  render(
    <MemoryRouter initialEntries={[address]}>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>
        <Board />
      </LocalTimeContext>
    </MemoryRouter>,
  );
}
const ringed = (name: string): boolean =>
  !!screen.getByRole('heading', { name }).closest('article')?.className.includes('ringed');

test('the address of a calendar’s event shows its claim on its date, and rings it', async () => {
  show('/?date=2026-11-23&claim=7');
  expect(screen.getByRole('radio', { name: /23 November/ })).toHaveProperty('checked', true);
  await screen.findByRole('heading', { name: 'Sea Serpents South' });
  expect(ringed('Sea Serpents South')).toBe(true);
  // The link is followed once; later changes of the claim are shown by the board.
  act(() => useShownSpot.setState({ spot: null }));
  act(() => {
    applyChanges({
      clock: 2,
      changes: [
        {
          op: 'put',
          kind: 'claim',
          record: aClaim({ id: 7, respawn_id: 2, date: '2026-11-23', hour_end: 12 }),
        },
      ],
    });
  });
  expect(ringed('Sea Serpents South')).toBe(false);
});

test.each(['/?claim=8', '/?claim=', '/?claim=7x', '/?claim=-1', '/?claim=99999999999999999999'])(
  '%s is the board as it is',
  (address) => {
    show(address);
    expect(screen.getByRole('radio', { name: /21 November/ })).toHaveProperty('checked', true);
    expect(useShownSpot.getState().spot).toBeNull();
  },
);
