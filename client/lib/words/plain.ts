import { nameKey } from '../../../shared/rules/names.ts';

/** What accents alone do not make of a letter, and the dashes that are typed for a hyphen. */
const FOLDED: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  '–': '-',
  '—': '-',
};
const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g');
const ACCENTS = /[\u0300-\u036f]/g;
const ASCII = /^[ -~]*$/;

/**
 * The one form in which texts are searched and put in order: as two names are compared (R1.1: without case, signs that
 * nobody sees and what telephones make of apostrophes), and without accents. "camara" finds "Câmara".
 */
export function plain(text: string): string {
  const key = nameKey(text);
  // Nearly all names.
  if (ASCII.test(key)) return key;
  return key
    .normalize('NFD')
    .replace(ACCENTS, '')
    .replace(FOLDABLE, (letter) => FOLDED[letter] ?? letter);
}
