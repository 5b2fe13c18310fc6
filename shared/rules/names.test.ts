import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../test/any-text.ts';
import { ADMIN_NAME, gameName, nameKey, tidyName } from './names.ts';

/** Any text, and texts in which the signs that make trouble are frequent. */
const anyName = fc.oneof(
  anyText(),
  fc.string({
    unit: fc.constantFrom(
      ..."aÄsSßẞıİIΣσςŉǅΐᾳᾴ\u0345\u0301\u0308\u0307\u0323 \u00a0\u200b\u200d\ufe0f\u2800`’'-‑❤👨ﬃՇ\t",
    ),
  }),
);

describe('R1.1: names', () => {
  it('are trimmed and have their inner whitespace collapsed', () => {
    expect(tidyName('  Bubble   the\tGreat \n')).toBe('Bubble the Great');
    expect(tidyName('\u00a0Bubble\u00a0 \u2003the\u3000Great\u2800')).toBe('Bubble the Great');
    for (const blank of ['   ', '\u200b', '\u2800 \ufeff', '\u3164', '\u0000'])
      expect([tidyName(blank), nameKey(blank)]).toEqual(['', '']);
  });

  it('lose invisible characters', () => {
    expect(tidyName('Bub\u200bble\u202e the\u00ad Great\ufeff')).toBe('Bubble the Great');
    expect(tidyName('Bubble \u200b the Great')).toBe('Bubble the Great');
  });

  it('keep the case they are written in, their apostrophes, and their emoji', () => {
    expect(tidyName('mcDonald’s')).toBe('mcDonald’s');
    expect(tidyName('❤️ 👨‍👩‍👧 week')).toBe('❤️ 👨‍👩‍👧 week');
  });

  it('are the same when they differ only in case and spaces', () => {
    expect(nameKey(' BUBBLE  The Great')).toBe(nameKey('bubble the great'));
    expect(nameKey('Éowyn')).toBe(nameKey('éOWYN'));
    expect(nameKey('Weiß')).toBe(nameKey('WEISS'));
    expect(nameKey('ΣΑΣ')).toBe(nameKey('σας'));
  });

  it.each([
    ['composed and not', 'Näurin', 'Na\u0308urin'],
    ['an apostrophe of a telephone', "Elder O'Bok", 'Elder O’Bok'],
    ['an accent for an apostrophe', "Elder O'Bok", 'Elder O´Bok'],
    ['another apostrophe', "Elder O'Bok", 'Elder O`Bok'],
    ['a hyphen that does not break', 'Li-Ho Crue', 'Li‑Ho Crue'],
    ['a sign of no width', 'Bubble', 'Bub\u200bble'],
    ['a mark of direction', 'Bubble', '\u200eBubble\u202c'],
    ['a soft hyphen', 'Bubble', 'Bub\u00adble'],
    ['a space that does not break', 'Bubble Gum', 'Bubble\u00a0Gum'],
    ['a variation of a letter', 'Bubble', 'B\ufe0fubble'],
  ])("are the same if the game can't tell them apart: %s", (_what, one, other) => {
    expect(other).not.toBe(one);
    expect(nameKey(other)).toBe(nameKey(one));
  });

  it('are different when a letter differs, an accent included', () => {
    expect(nameKey('Eowyn')).not.toBe(nameKey('Éowyn'));
    expect(nameKey('Bub ble')).not.toBe(nameKey('Bubble'));
    expect(nameKey("O'Bok")).not.toBe(nameKey('OBok'));
  });

  it('do not change when they are tidied a second time, and are the same names tidied', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(tidyName(tidyName(name))).toBe(tidyName(name));
        expect(gameName(gameName(name))).toBe(gameName(name));
        expect([nameKey(tidyName(name)), nameKey(gameName(name))]).toEqual([
          nameKey(name),
          nameKey(name),
        ]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('have a key that is its own key, in every composition and case', () => {
    const holds = (name: string): void => {
      const key = nameKey(name);
      const parts = name.normalize('NFD');
      const spellings = [key, name.normalize('NFC'), parts, name.toLowerCase()];
      // In capitals the iota subscript of old Greek becomes a separate letter, and takes the marks that follow it.
      if (!parts.includes('\u0345')) spellings.push(name.toUpperCase());
      expect(spellings.map(nameKey)).toEqual(spellings.map(() => key));
      expect(key.normalize('NFC')).toBe(key);
    };
    fc.assert(fc.property(anyName, holds), { numRuns: 2_000 });
    // Latin, Greek, Cyrillic, Armenian, with what composes of them.
    for (const [from, to] of [
      [0x20, 0x590],
      [0x1e00, 0x2150],
    ] as const)
      for (let sign = from; sign < to; sign += 1) holds(`a${String.fromCodePoint(sign)}b`);
  });
});

describe('a name that is typed for the game', () => {
  it('has the apostrophes and hyphens of the game', () => {
    expect(gameName(' Elder O’Bok ')).toBe("Elder O'Bok");
    expect(gameName('Li\u2011Ho Crue')).toBe('Li-Ho Crue');
  });
});

describe('the name of an admin', () => {
  it.each(['admin', 'Jörg Ünal', "D'Artagnan-3", 'Ñandú', '~', ' '])('may be %j', (name) => {
    expect(ADMIN_NAME.test(name)).toBe(true);
  });

  it.each(['', 'аdmin', 'ａｄｍｉｎ', 'a×b', 'a÷b', 'a\tb', 'Łukasz', 'admin\u200b'])(
    'may not be %j',
    (name) => {
      expect(ADMIN_NAME.test(name)).toBe(false);
    },
  );
});
