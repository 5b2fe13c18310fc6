import { expect, test } from 'vitest';
import { usageByType } from './member-type-values.ts';

test('keys and claims are counted by the name of the type they carry', () => {
  const counts = usageByType(
    [{ member_type: 'vice' }, { member_type: 'vice' }],
    [{ member_type: 'vice' }, { member_type: 'gone' }],
  );
  expect(counts.get('vice')).toEqual({ keys: 2, claims: 1 });
  expect(counts.get('gone')).toEqual({ keys: 0, claims: 1 });
  expect(counts.get('elite')).toBeUndefined();
});
