import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MEMBER_TYPE_COLORS } from '../../shared/rules/badge.ts';
import { deuteranopeDistance } from './test/colours.ts';
import { typeLook } from './type-look.ts';

const BUILT_IN = Object.keys(MEMBER_TYPE_COLORS);
const letterOf = (type: string): string => typeLook(type, '#3182ce').letter;

test('colour-blind people cannot tell members from elites by hue: hence the letters', () => {
  const [member, elite] = ['member', 'elite'].map((type) => MEMBER_TYPE_COLORS[type] ?? '');
  expect(deuteranopeDistance(member ?? '', elite ?? '')).toBeLessThan(15);
});

test('built-in types have a letter each, which no other type has alone', () => {
  expect(BUILT_IN.map(letterOf)).toEqual(['M', 'E', 'V']);
  expect(['scout', 'maker', 'Elder', 'v', 'ñandú'].map(letterOf)).toEqual([
    'S',
    'Ma',
    'El',
    'V',
    'Ñ',
  ]);
});

test('a type may have any name, also that of a property every object has', () => {
  const anyName = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)),
  );
  fc.assert(
    fc.property(anyName, (name) => {
      expect([...letterOf(name)].length).toBeLessThanOrEqual(3);
      expect(letterOf(name)).not.toContain('undefined');
    }),
  );
});
