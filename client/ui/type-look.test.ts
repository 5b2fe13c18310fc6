import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FALLBACK_COLOR, MEMBER_TYPE_COLORS } from '../../shared/rules/badge.ts';
import { deuteranopeDistance } from './test/colours.ts';
import { type TypeLook, typeLook } from './type-look.ts';

const looks = [...Object.entries(MEMBER_TYPE_COLORS), ['a type that is gone', FALLBACK_COLOR] as const].map(([type, color]) =>
  typeLook(type, color),
);
/** A bar from top to bottom, in hundredths. */
const painted = ({ color, shade, lines }: TypeLook): string[] =>
  Array.from({ length: 100 }, (_, row) => (lines.some(([from, to]) => from <= row && row < to) ? shade : color));
/** Where two bars differ most. */
const distance = (one: TypeLook, other: TypeLook): number => {
  const rows = painted(other);
  return Math.max(...painted(one).map((color, row) => deuteranopeDistance(color, rows[row] ?? '')));
};
const pairs = looks.flatMap((one, i) => looks.slice(i + 1).map((other) => [one, other] as const));

test('by hue alone, who sees no green cannot tell members from elites: hence the lines', () => {
  const [member, elite] = ['member', 'elite'].map((type) => MEMBER_TYPE_COLORS[type] ?? '');
  expect(deuteranopeDistance(member ?? '', elite ?? '')).toBeLessThan(15);
});

test('any two built-in types differ visibly, by letter and by paint', () => {
  expect(pairs).toHaveLength(6);
  for (const [one, other] of pairs) {
    expect(distance(one, other), `${one.letter} and ${other.letter}`).toBeGreaterThan(20);
    expect(one.letter).not.toBe(other.letter);
  }
});

test('lines are a darker shade of their bar, a lighter one where it is nearly black', () => {
  expect(typeLook('elite', '#805ad5').shade).toBe('#402d6b');
  expect(typeLook('elite', '#101010').shade).toBe('#888888');
});

test('a type that an admin adds has a pattern of its name, always the same one', () => {
  const scout = typeLook('scout', '#ffe000');
  expect(scout.lines.length).toBeGreaterThan(0);
  expect(typeLook('scout', '#112233').lines).toBe(scout.lines);
  expect(scout).toMatchObject({ letter: 'S', text: '#000000' });
});

test('a type may have any name, also that of a property every object has', () => {
  const anyName = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)));
  fc.assert(
    fc.property(anyName, (name) => {
      const look = typeLook(name, '#3182ce');
      expect(Array.isArray(look.lines)).toBe(true);
      expect(look.image ?? '').not.toContain('undefined');
    }),
  );
});
