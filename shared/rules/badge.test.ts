import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  badgeTextColor,
  brightness,
  DEFAULT_MEMBER_TYPE_COLOR,
  FALLBACK_COLOR,
  MEMBER_TYPE_COLORS,
  usualColorOf,
} from './badge.ts';

/** Any name an admin may type, among them those that every object has. */
const anyTypeName = fc.oneof(
  fc.string(),
  fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)),
);

describe('R6.1: colours of member types', () => {
  it('are the documented ones', () => {
    expect(MEMBER_TYPE_COLORS).toEqual({ member: '#3182ce', elite: '#805ad5', vice: '#e53e3e' });
    expect(DEFAULT_MEMBER_TYPE_COLOR).toBe('#3182ce');
    expect(FALLBACK_COLOR).toBe('#718096');
  });
});

describe('the colour of a type without a record', () => {
  it('is the documented one, or the fallback for other names', () => {
    expect(usualColorOf('elite')).toBe('#805ad5');
    fc.assert(
      fc.property(anyTypeName, (name) => {
        fc.pre(!['member', 'elite', 'vice'].includes(name));
        expect(usualColorOf(name)).toBe(FALLBACK_COLOR);
      }),
    );
  });
});

describe('R6.2: the text of a badge', () => {
  it('is white on a brightness of 127 and black on 128', () => {
    expect(brightness('#7f7f7f')).toBe(127);
    expect(badgeTextColor('#7f7f7f')).toBe('#ffffff');
    expect(brightness('#808080')).toBe(128);
    expect(badgeTextColor('#808080')).toBe('#000000');
  });

  it('weighs green most and blue least, as the eye does', () => {
    expect(brightness('#ff0000')).toBeCloseTo(76.245);
    expect(brightness('#00ff00')).toBeCloseTo(149.685);
    expect(brightness('#0000ff')).toBeCloseTo(29.07);
  });

  it('reads three digits as six, in either case', () => {
    expect(brightness('#fa0')).toBe(brightness('#ffaa00'));
    expect(brightness('#FFAA00')).toBe(brightness('#ffaa00'));
  });

  it('is white on black and on the colours of the system types, black on white', () => {
    expect(badgeTextColor('#000')).toBe('#ffffff');
    expect(badgeTextColor('#fff')).toBe('#000000');
    expect(Object.values(MEMBER_TYPE_COLORS).map(badgeTextColor)).toEqual([
      '#ffffff',
      '#ffffff',
      '#ffffff',
    ]);
  });
});
