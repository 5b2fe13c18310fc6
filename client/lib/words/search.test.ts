import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../shared/test/any-text.ts';
import { plain } from './order.ts';
import { holds, missingIn, searchable, searchIndex, wordsOf } from './search.ts';

const finds = (search: string, ...texts: string[]): boolean =>
  holds(searchable(...texts), wordsOf(search));

describe('a search finds', () => {
  test.each([
    ['without accents', 'camara', 'Câmara'],
    ['with accents that are not there', 'ásura', 'Asura Palace'],
    ['letters that are no accented ones', 'lowisko oersted', 'Łowisko Œrsted'],
    ['in capitals', 'WEISS', 'Weiß'],
    ['with the apostrophe of a telephone', 'asura’s', "Asura's Mirror"],
    ['with an accent for an apostrophe', 'asura´s', 'Asura’s Mirror'],
    ['without the apostrophe', 'asuras mirror', "Asura's Mirror"],
    ['with the words the other way round', 'mirror asura', "Asura's Mirror"],
    ['parts of words', 'mir asu', "Asura's Mirror"],
    ['with a dash for a hyphen', 'ingol –2', 'Ingol -2'],
    ['with spaces around and between', '  ingol \u00a0  -2 ', 'Ingol -2'],
    ['with signs that nobody sees', 'ing\u200bol\ufeff', 'Ingol -2'],
    ['nothing that is asked for', ' \u200b ', 'Ingol -2'],
  ])('%s', (_how, search, name) => {
    expect(finds(search, name)).toBe(true);
  });

  test('finds words in different texts of a record, but no word across two of them', () => {
    expect(finds('elite mira', 'Mira Stormcrow', 'elite')).toBe(true);
    expect(finds('crowelite', 'Mira Stormcrow', 'elite')).toBe(false);
  });

  test('nothing that lacks a word, or a sign of one', () => {
    expect(finds('asura palace', "Asura's Mirror")).toBe(false);
    expect(finds("as'ura", "Asura's Mirror")).toBe(false);
    expect(finds('ingol2', 'Ingol -2')).toBe(false);
  });
});

const letter = fc.constantFrom(...'aeioucnszlAEIOUCNSZLéÂçñŁøßк가がσς19');
const word = fc.array(fc.oneof({ weight: 6, arbitrary: letter }, fc.constantFrom("'", '’', '-')), {
  minLength: 1,
  maxLength: 7,
});
const name = fc.array(
  word
    .map((characters) => characters.join(''))
    .filter((text) => plain(text).replaceAll("'", '') !== ''),
  { minLength: 1, maxLength: 4 },
);

/** Variants of the name's words, as users type them. */
const respelled = fc
  .tuple(name, fc.infiniteStream(fc.nat(11)))
  .chain(([words, choices]) =>
    fc.tuple(
      fc.constant(words),
      fc.shuffledSubarray(words, { minLength: words.length }),
      fc.constant(choices),
    ),
  )
  .map(([words, shuffled, choices]) => {
    const draw = (): number => choices.next().value;
    const respell = (sign: string): string => {
      if (sign === "'" || sign === '’') return ["'", '’', '‘', '´', '`', 'ʼ'][draw() % 6] ?? sign;
      if (sign === '-') return ['-', '‑', '–', '—'][draw() % 4] ?? sign;
      switch (draw()) {
        case 0:
          return sign.toUpperCase();
        case 1:
          return sign.toLowerCase();
        case 2:
          return sign.normalize('NFD');
        case 3:
          return `${sign}\u0301`;
        case 4:
          return `${sign}\u200b`;
        case 5:
          return `\u00ad${sign}`;
        default:
          return sign;
      }
    };
    const gap = (): string => [' ', '  ', '\u00a0', '\t'][draw() % 4] ?? ' ';
    return {
      name: words.join(' '),
      search: shuffled
        .map((text) => [...text].map(respell).join(''))
        .reduce((all, text) => all + gap() + text),
    };
  });

describe('of any name', () => {
  test('every way of typing it finds it: case, accents, apostrophes, hyphens, gaps, order, unseen signs', () => {
    fc.assert(
      fc.property(respelled, ({ name, search }) => finds(search, name)),
      { numRuns: 2_000 },
    );
  });

  test('it is found without its apostrophes', () => {
    fc.assert(
      fc.property(name, (words) => finds(words.join(' ').replace(/['’]/g, ''), words.join(' '))),
    );
  });

  test('the plain form is its own, and has nothing that a search could not hold', () => {
    const any = fc.oneof(anyText(), fc.string({ unit: letter }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(any, (text) => {
        expect(plain(plain(text))).toBe(plain(text));
        expect(wordsOf(text).join(' ')).toBe(plain(text));
      }),
      { numRuns: 500 },
    );
  });

  test('missing values match nothing', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, search) => {
        const words = wordsOf(search);
        expect(missingIn(searchable(text), words).length === 0).toBe(finds(search, text));
      }),
    );
  });
});

test('a record is indexed once, and its next version again', () => {
  let reads = 0;
  const textOf = searchIndex((record: { name: string }) => {
    reads += 1;
    return [record.name];
  });
  const record = { name: 'Câmara' };
  expect([textOf(record), textOf(record), textOf({ name: '' })]).toEqual(['camara', 'camara', '']);
  expect(textOf({ ...record, name: 'Zao' })).toBe('zao');
  expect(reads).toBe(3);
});
