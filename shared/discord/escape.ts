/** Characters with a meaning in Discord's markdown, in a word or at its edge: styles, links, mentions, emoji, times. */
const MEANT = /[\\`*_~|<>[\](){}#+\-.!:@/$&=]/g;
/** Invisible characters, including marks of direction: an unclosed one reverses the rest of the line. */
const UNSEEN = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu;
const FROM_THE_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
/** For a name of which nothing is seen: bold nothing would be four asterisks. */
const NOTHING = '?';
const BEGIN_ISOLATED = '\u2068';
const END_ISOLATED = '\u2069';

/** Longer names are shortened, in characters, so that ten changes fit into a message. */
export const LONGEST_NAME = 60;

/**
 * A name that Discord shows literally; at most twice as long as allowed, plus two characters. Right-to-left
 * text is isolated.
 * @param most characters to show
 */
export function escapeName(name: string, most = LONGEST_NAME): string {
  // Half of a pair of surrogates would have the whole message refused.
  const seen = cut(name.toWellFormed().replace(UNSEEN, ' ').trim(), most) || NOTHING;
  const escaped = seen.replace(MEANT, '\\$&');
  return FROM_THE_RIGHT.test(seen) ? `${BEGIN_ISOLATED}${escaped}${END_ISOLATED}` : escaped;
}

/** @returns at most so many UTF-16 units, never half of a pair */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = most - 1;
  const isInPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return `${text.slice(0, isInPair ? end - 1 : end)}…`;
}
