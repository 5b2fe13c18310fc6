import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { aWeeklyClaim } from '../../../test/records.ts';
import { AffectedWeeklyClaims } from './affected-weekly-claims.tsx';

beforeEach(() => {
  clearBoard();
  applySnapshot(1, {
    standing_claim: [
      aWeeklyClaim(),
      aWeeklyClaim({ id: 5, respawn_id: 2 }),
      aWeeklyClaim({ id: 6, character_name: 'Old Bram' }),
    ],
  });
});
afterEach(cleanup);

test.each([
  [
    <AffectedWeeklyClaims key="1" how="stop" characters={['sable quinn']} />,
    '2 weekly claims make no claims until you enable this again.',
  ],
  [
    <AffectedWeeklyClaims key="2" how="end" spots={[2]} />,
    '1 weekly claim ends. The undo resumes it.',
  ],
  [
    <AffectedWeeklyClaims key="3" how="endForGood" characters={['Old Bram', 'Sable Quinn']} />,
    '3 weekly claims end for good.',
  ],
  [<AffectedWeeklyClaims key="4" how="end" spots={[9]} />, ''],
])('counts the weekly claims that a change ends or stops', (element, text) => {
  expect(render(element).container.textContent).toBe(text);
});
