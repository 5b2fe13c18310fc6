import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyChanges, clearBoard } from '../../state/board-store.ts';
import { aClaim } from '../../test/records.ts';
import { FakeServer, ok } from './test/fake-server.ts';
import { descriptionOf, nameOf } from './test/page-parts.ts';
import { setServerTime, showSubmitPage, signIn, TODAY } from './test/show-submit-page.tsx';

beforeEach(() => {
  clearBoard();
  new FakeServer()
    .on('GET', '/respawns/', () => ok([]))
    .on('GET', '/claims/check-character-claims/', () =>
      ok({ hasClaimsForDate: false, claimsForDate: [] }),
    );
});
afterEach(() => vi.unstubAllGlobals());

const spots = async (): Promise<(string | null)[]> => {
  await userEvent.click(screen.getByRole('combobox', { name: 'Spot' }));
  const options = within(screen.getByRole('listbox')).getAllByRole('option');
  const found = options.map(nameOf);
  await userEvent.keyboard('{Escape}');
  return found;
};

test('R2.5: the list marks spots whose chosen hours are taken on a date; adjacent claims fit', async () => {
  const held = { character_name: 'Mira Stormcrow', date: TODAY };
  signIn({
    claim: [
      aClaim({ id: 1, respawn_id: 2, hour_start: 13, hour_end: 14, ...held }),
      aClaim({ id: 2, respawn_id: 3, hour_start: 14, hour_end: 18, ...held }),
    ],
  });
  showSubmitPage(`?respawn=1&date=${TODAY}`);
  expect(await spots()).toEqual(['Cobra Bastion', 'Fire Library', 'Ice Library']);
  await userEvent.click(screen.getByRole('button', { name: /^SS\+10,/ }));
  expect(await spots()).toEqual([
    'Cobra Bastion',
    'Fire Library not free at that time',
    'Ice Library',
  ]);
  act(() => {
    applyChanges({
      clock: 2,
      changes: [
        {
          op: 'put',
          kind: 'claim',
          record: aClaim({ id: 3, respawn_id: 3, hour_start: 9, hour_end: 11, ...held }),
        },
      ],
    });
  });
  expect(await spots()).toEqual([
    'Cobra Bastion',
    'Fire Library not free at that time',
    'Ice Library not free at that time',
  ]);
});

test('each spot shows its free hours on the open date', async () => {
  const held = { character_name: 'Mira Stormcrow', date: TODAY };
  signIn({
    claim: [
      aClaim({ id: 1, respawn_id: 2, hour_start: 0, hour_end: 24, ...held }),
      aClaim({ id: 2, respawn_id: 3, hour_start: 4, hour_end: 8, ...held }),
      aClaim({ id: 3, respawn_id: 3, hour_start: 10, hour_end: 12, ...held }),
    ],
  });
  setServerTime('02:30');
  showSubmitPage(`?respawn=1&date=${TODAY}`);
  await userEvent.click(screen.getByRole('combobox', { name: 'Spot' }));
  expect(screen.getByText('Free hours on Sat 21 Nov')).toBeTruthy();
  const free = (): string[] =>
    within(screen.getByRole('listbox')).getAllByRole('option').map(descriptionOf);
  expect(free()).toEqual([
    'free SS+2 to SS+24',
    'no free hours',
    'free SS+2 to SS+4, SS+8 to SS+10 +1',
  ]);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('checkbox', { name: /22 November/ }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Spot' }));
  expect(free()).toEqual(['free SS+0 to SS+24', 'free SS+0 to SS+24', 'free SS+0 to SS+24']);
});
