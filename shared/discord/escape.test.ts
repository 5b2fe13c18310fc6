import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../test/any-text.ts';
import { escapeName, LONGEST_NAME } from './escape.ts';

/** What Discord shows of a text: its rule is that a backslash before any sign but letters, digits and gaps is taken away. */
const rendered = (text: string): string =>
  text.replace(/[\u2068\u2069]/g, '').replace(/\\([^0-9A-Za-z\s])/g, '$1');
/** Special characters without a backslash before them. */
const meant = (text: string): string[] =>
  text.replace(/\\[^0-9A-Za-z\s]/g, '').match(/[\\`*_~|<>[\]()#\-:@/]/g) ?? [];

describe('a name on Discord', () => {
  it.each([
    'Arden Vale',
    '**bold** __under__ ~~gone~~ ||hidden||',
    '`code` ```block```',
    '@everyone @here <@123> <@&456> <#789> </claim:1>',
    '<a:dance:123456> :smile: <t:0:R>',
    '# Title\\ > quote',
    '- list 1. list',
    '[here](https://example.com) https://example.com www.a.b',
    '\\*\\_',
    'Ñandú ‘Ö’ 龍 👩‍👩‍👧',
    '{{spot}} $t(discord.test)',
  ])('is shown letter by letter: %s', (name) => {
    expect(rendered(escapeName(name))).toBe(name);
    expect(meant(escapeName(name))).toEqual([]);
  });

  it('isolates right-to-left text, and lets no directional mark out of it', () => {
    expect(escapeName('שלום')).toBe('\u2068שלום\u2069');
    expect(escapeName('a\u202eb\u2066c\u2069')).toBe('a b c');
    expect(escapeName('مرحبا\u2069\u202e')).toBe('\u2068مرحبا\u2069');
  });

  it('has no half of a sign in it, also where it is cut', () => {
    expect(escapeName('a\ud83d')).toBe('a\ufffd');
    expect(escapeName('😀'.repeat(40))).toBe(`${'😀'.repeat(29)}…`);
    expect(escapeName(`a${'😀'.repeat(40)}`)).toBe(`a${'😀'.repeat(29)}…`);
  });

  it('without visible characters is a question mark', () => {
    for (const name of ['', ' ', '\u200b\u202e', '\n']) expect(escapeName(name)).toBe('?');
  });

  it('any text', () => {
    const any = fc.oneof(
      anyText({ maxLength: 80 }),
      fc.string({
        unit: fc.constantFrom(...'*_`~|<>@#:/\\[]()-. a😀\ud83dש\u202e'.split(''), '\ud83d'),
        maxLength: 80,
      }),
    );
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: LONGEST_NAME }), (name, most) => {
        const escaped = escapeName(name, most);
        expect(meant(escaped)).toEqual([]);
        expect(escaped.isWellFormed()).toBe(true);
        expect(escaped.length).toBeLessThanOrEqual(2 * most + 2);
        expect(escaped).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
        expect(rendered(escaped)).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });
});
