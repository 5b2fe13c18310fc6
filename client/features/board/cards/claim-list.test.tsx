import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aClaimOnRespawn } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { ClaimList } from './claim-list.tsx';

afterEach(clearBoard);

const DATE = '2026-11-21';
const claim = aClaimOnRespawn({
  id: 1,
  character_name: 'Kael Stormcrow',
  hour_start: 12,
  hour_end: 14,
});

function rowOf(change: Partial<ClaimOnRespawn> = {}): HTMLElement {
  render(
    <LocalTimeContext value={(_, hour) => `${hour}:00`}>
      <ClaimList
        claims={[{ ...claim, ...change }]}
        date={DATE}
        viewer="kael stormcrow"
        hour={12}
        search=""
      />
    </LocalTimeContext>,
  );
  return screen.getByRole('listitem');
}

test('a row says hours, name, part, you, now and type, in this order; short forms repeat nothing', () => {
  expect(rowOf({ split_part_number: 1 }).textContent).toBe(
    'SS+12 to SS+14Kael Stormcrowpart 1 of 2younowmember',
  );
});

test('only a row with three things more than hours, name and type gives up "you"', () => {
  expect(rowOf().className).not.toContain('crowded');
  cleanup();
  expect(rowOf({ split_part_number: 1 }).className).toContain('crowded');
});

test('a row without room for the member type’s name shows its letter', () => {
  expect(rowOf().querySelector('[data-letter]')?.getAttribute('data-letter')).toBe('M');
});
