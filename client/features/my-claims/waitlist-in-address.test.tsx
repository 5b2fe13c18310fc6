import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RINGED_MS } from '../../state/board-place.ts';
import { aClaim, aWait } from '../../test/records.ts';
import { endMine, mockServer, NOTHING, push, showMine, startMine } from './test/show-my-claims.tsx';

beforeEach(() => {
  startMine();
  mockServer(() => NOTHING);
});
afterEach(() => {
  endMine();
  vi.restoreAllMocks();
});

const OVER = /^This offer has ended/;
const offer = {
  claim: [
    aClaim({
      id: 30,
      hour_start: 17,
      hour_end: 20,
      is_held: 1,
      held_until: '2026-11-21T21:37:00Z',
    }),
  ],
  wait: [
    aWait({
      id: 5,
      hour_start: 16,
      hour_end: 20,
      status: 'offered',
      held_claim_id: 30,
      held_until: '2026-11-21T21:37:00Z',
    }),
    aWait({ id: 6, respawn_id: 2, hour_start: 4, hour_end: 8, date: '2026-11-22' }),
  ],
};
const ringed = (): (string | undefined)[] =>
  screen
    .getAllByRole('listitem')
    .flatMap((row) =>
      /ringed/.test(row.className) ? [row.querySelector('a')?.textContent ?? ''] : [],
    );

test.each([
  [5, 'Fire Library'],
  [6, 'Sea Serpents South'],
])(
  'the address of a notice about wait %i brings %s into view and rings it for a moment',
  async (id, spot) => {
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
    vi.useFakeTimers({
      now: new Date('2026-11-21T21:30:00Z'),
      toFake: ['Date', 'setTimeout', 'clearTimeout'],
    });
    await showMine(offer, { waits_enabled: 1 }, `/mine?wait=${id}`);
    expect(ringed()).toEqual([spot]);
    expect(scrolled).toHaveBeenCalledOnce();
    expect(screen.queryByText(OVER)).toBeNull();
    act(() => void vi.advanceTimersByTime(RINGED_MS));
    expect(ringed()).toEqual([]);
  },
);

test('an ended entry says so, also if it ends while the page is open', async () => {
  await showMine(offer, { waits_enabled: 1 }, '/mine?wait=5');
  push({ op: 'remove', kind: 'wait', id: 5 }, { op: 'remove', kind: 'claim', id: 30 });
  expect(screen.getByText(OVER)).toBeTruthy();
  expect(ringed()).toEqual([]);
});

test.each(['/mine', '/mine?wait=', '/mine?wait=x', '/mine?wait=-5'])(
  '%s rings nothing and says nothing',
  async (address) => {
    await showMine(offer, { waits_enabled: 1 }, address);
    expect(ringed()).toEqual([]);
    expect(screen.queryByText(OVER)).toBeNull();
  },
);
