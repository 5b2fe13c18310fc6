import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { aClaimRow } from '../../test/records.ts';
import { useStripBar } from './hour-strip.tsx';

test('every strip shows a claim the same way: held, secondary, or the viewer’s own', () => {
  const { result } = renderHook(() => useStripBar('mira stormcrow'));
  expect(result.current(aClaimRow({ id: 7 }))).toMatchObject({
    key: '7/0',
    kind: 'claim',
    mine: false,
  });
  expect(result.current(aClaimRow({ is_held: 1 })).kind).toBe('held');
  expect(result.current(aClaimRow({ is_secondary_claim: 1, secondary_priority: 5 })).kind).toBe(
    'waiting',
  );
  expect(result.current(aClaimRow({ character_name: 'Mira Stormcrow' })).mine).toBe(true);
});
