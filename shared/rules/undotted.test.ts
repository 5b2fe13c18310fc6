import { expect, it } from 'vitest';
import { undotted } from './undotted.ts';

it('a date in a sentence has no dots', () => {
  expect(undotted('qua., 25 de nov.')).toBe('qua, 25 de nov');
});
