/** Every sign that shows as a gap, the no-break ones and the blank Braille pattern among them. */
const GAPS = /[\p{White_Space}\u2800]+/gu;
/** Signs that show as nothing: zero-width ones, controls, marks of direction, fillers. What holds an emoji together stays. */
const UNSEEN =
  /(\p{Extended_Pictographic}[\u200d\ufe0f]*)|[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const ALL_UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Telephones and word processors type these for an apostrophe, and for a hyphen. */
const APOSTROPHES = /[‘’‛ʹʻʼʽˈ´`′＇]/g;
const HYPHENS = /[\u2010\u2011]/g;
const PLAIN = /^[!-_a-z~]+(?: [!-_a-z~]+)*$/;

const withSingleGaps = (text: string): string => text.replace(/ {2,}/g, ' ').trim();

/**
 * R1.1: a name as stored and shown: composed (NFC), trimmed, inner spaces collapsed, and without invisible
 * characters, which would make two names look the same.
 */
export function tidyName(name: string): string {
  return withSingleGaps(name.replace(GAPS, ' ').replace(UNSEEN, '$1').normalize('NFC'));
}

/**
 * R1.1: the form in which two names are the same name, and names are looked up. It is its own key, and no way of
 * composing a name or writing it in capitals gives another one: upper case first makes one of ß and SS, and of
 * İ and its parts; a sigma at a word's end is a sigma.
 */
export function nameKey(name: string): string {
  // Nearly all names, and boards compare thousands.
  if (PLAIN.test(name)) return name.toLowerCase();
  const seen = name.replace(GAPS, ' ').replace(ALL_UNSEEN, '').normalize('NFD');
  const folded = seen.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return withSingleGaps(plainMarks(folded.normalize('NFC')));
}

/** Comes after the keys of all names that begin with the text, in the order of bytes. @param beginning a key's beginning */
export const endOfNames = (beginning: string): string => `${beginning}\u{10ffff}`;

/**
 * Names of admins: Latin-1 letters, digits and ASCII punctuation, as names of characters have no other letters either. A Cyrillic е or a
 * full-width letter would pass for another admin's.
 */
export const ADMIN_NAME = /^[ -~À-ÖØ-öø-ÿ]+$/;

/** A character's name as the game would write it, from however its owner's keyboard does. */
export function gameName(typed: string): string {
  return plainMarks(tidyName(typed));
}

const plainMarks = (text: string): string => text.replace(APOSTROPHES, "'").replace(HYPHENS, '-');
