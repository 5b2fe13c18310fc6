import { expect, test } from 'vitest';
import { badgeTextColor } from '../../shared/rules/badge.ts';
import { contrast, readableShade } from './readable-shade.ts';

test('a colour on which its text can be read stays as it is', () => {
  expect(readableShade('#805ad5', '#ffffff')).toBe('#805ad5');
  expect(readableShade('#fc0', '#000000')).toBe('#fc0');
});

test.each(['#3182ce', '#e53e3e', '#718096', '#00d800', '#f0f', '#000', '#fff'])(
  '%s becomes a shade on which its text reaches AA',
  (color) => {
    const text = badgeTextColor(color);
    expect(contrast(readableShade(color, text), text)).toBeGreaterThanOrEqual(4.5);
  },
);
