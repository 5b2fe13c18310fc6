import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { applyChanges, clearBoard, useBoard } from '../../state/board-store.ts';
import { aClaimOnRespawn } from '../../test/records.ts';
import { FakeServer, ok } from './test/fake-server.ts';
import { chooseSpot, hourIn, part, press } from './test/page-parts.ts';
import { claimRowOf, eventOf, onItsDate } from './test/records.ts';
import { showSubmitPage, signIn, TODAY } from './test/show-submit-page.tsx';

/** The longest event there is: a year and a day. */
const YEAR = eventOf({
  type: 'single_claim',
  start_time: '2026-11-15',
  end_time: addDays('2026-11-15', 365),
});
const LAST = addDays('2026-11-15', 365);
const ofOther = onItsDate(
  claimRowOf({ id: 1, event_id: null, date: TODAY, hour_start: 2, hour_end: 6 }),
);

let server: FakeServer;
beforeEach(() => {
  clearBoard();
  server = new FakeServer()
    .on('GET', '/respawns/', () => ok([ofOther]))
    .on('GET', '/claims/character-claims/', () => ok([]));
});
afterEach(() => vi.unstubAllGlobals());

const label = (hour: number): string => hourIn(screen, hour).getAttribute('aria-label') ?? '';
const until = (hour: number, word: string): Promise<void> =>
  waitFor(() => expect(label(hour)).toContain(word));
const requests = (): string[] => server.calls.map(({ path }) => path.replace(/&at=\d+/, ''));
/** As the server sends it: a claim of the whole event, with the board's next clock. */
const claimed = (claim: Partial<ClaimOnRespawn>): void =>
  act(() => {
    const record = aClaimOnRespawn({
      id: 7,
      event_id: YEAR.id,
      date: null,
      hour_start: 10,
      hour_end: 14,
      ...claim,
    });
    applyChanges({
      clock: useBoard.getState().clock + 1,
      changes: [{ op: 'put', kind: 'claim', record }],
    });
  });

/** Waits for all requests: the debounce before the character check is the longest. */
const pauseEnds = (): Promise<void> =>
  act(() => new Promise<void>((resolve) => setTimeout(resolve, 400)));

describe('a single_claim event of 366 days', () => {
  test('asks one call of each kind on opening, and for no claims at a change nearby', async () => {
    signIn({ event: [YEAR] });
    showSubmitPage('?respawn=1');
    await until(2, 'taken');
    await pauseEnds();
    expect(requests().sort()).toEqual([
      `/claims/character-claims/Riley%20Ashdown?from=2026-11-15&to=${LAST}`,
      `/respawns/1/claims?from=2026-11-15&to=${LAST}&except_event=5`,
    ]);
    server.calls.length = 0;
    claimed({});
    expect(label(10)).toContain('taken');
    await pauseEnds();
    act(() => applyChanges({ clock: 3, changes: [{ op: 'remove', kind: 'claim', id: 7 }] }));
    expect(label(10)).not.toContain('taken');
    await pauseEnds();
    expect(requests()).toEqual([]);
  });

  test('checks the character once if it claims elsewhere meanwhile, and says for how long', async () => {
    signIn({ event: [YEAR] });
    showSubmitPage('?respawn=1');
    await until(2, 'taken');
    await pauseEnds();
    server.calls.length = 0;
    const held = {
      respawn_name: 'Fire Library',
      hour_start: 10,
      hour_end: 14,
      first_date: '2026-11-15',
      last_date: LAST,
    };
    server.on('GET', '/claims/character-claims/', () => ok([held]));
    claimed({ respawn_id: 2, character_name: 'Riley Ashdown' });
    await screen.findByText('Sun 15 Nov to Mon 15 Nov: Fire Library, SS+10 to SS+14');
    expect(requests()).toHaveLength(1);
    // "In a single_claim event there is no per-date choice": the form asks for no other date.
    expect(screen.getByText('Sun 15 Nov to Mon 15 Nov: Riley Ashdown has a claim')).toBeTruthy();
    expect(screen.queryByText(/another date/)).toBeNull();
  });

  test('asks one call for another spot, and one for each spot of a split claim', async () => {
    signIn({ event: [YEAR] });
    showSubmitPage('?respawn=1&hour=14');
    await until(2, 'taken');
    await pauseEnds();
    server.calls.length = 0;
    await press('Split in two');
    await chooseSpot(part(2), 'Spot, part 2', 'Fire Library');
    await waitFor(() => expect(hourIn(part(2), 2).getAttribute('aria-label')).toContain('taken'));
    await userEvent.click(hourIn(part(2), 17));
    await pauseEnds();
    // The dialog has two spots to choose.
    expect(requests().map((path) => path.split('?')[0])).toEqual([
      '/respawns/1/claims',
      '/respawns/2/claims',
    ]);
  });
});
