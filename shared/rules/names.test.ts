import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameKey, tidyName } from './names.ts';

describe('R1.1: names', () => {
  it('are trimmed and their inner spaces collapsed', () => {
    expect(tidyName('  Bubble   the\tGreat \n')).toBe('Bubble the Great');
    expect(tidyName('   ')).toBe('');
  });

  it('keep the case they are written in', () => {
    expect(tidyName('mcDonald')).toBe('mcDonald');
  });

  it('are the same when they differ only in case and spaces', () => {
    expect(nameKey(' BUBBLE  The Great')).toBe(nameKey('bubble the great'));
    expect(nameKey('Éowyn')).toBe(nameKey('éOWYN'));
  });

  it('are different when a letter differs, an accent included', () => {
    expect(nameKey('Eowyn')).not.toBe(nameKey('Éowyn'));
    expect(nameKey('Bub ble')).not.toBe(nameKey('Bubble'));
  });

  it('do not change when they are tidied a second time', () => {
    fc.assert(fc.property(fc.string(), (name) => tidyName(tidyName(name)) === tidyName(name) && nameKey(tidyName(name)) === nameKey(name)));
  });
});
