import { ACCESS_KEY, READABLE_ALPHABET, VERIFICATION_CODE } from '../credentials.ts';

/** Characters of a key, in groups of four with hyphens between them: K7QM-2F9A-XW3C. */
const KEY_LENGTH = ACCESS_KEY.groups * ACCESS_KEY.groupLength;
const GROUPS = /.{4}(?=.)/g;
/** Spaces and line breaks, dashes of any kind, and invisible characters. */
const BETWEEN = /[\s\p{Pd}\p{Cf}\u2212]+/gu;

const GROUP = `[${READABLE_ALPHABET}]{${ACCESS_KEY.groupLength}}`;
/** A key among other characters: quotes, asterisks, a full stop, "Access key:". */
const KEY_WITHIN = new RegExp(
  `(?<![\\p{L}\\p{N}\\p{Pd}])(?:${GROUP}${BETWEEN.source.replace('+', '*')}){${ACCESS_KEY.groups}}(?![\\p{L}\\p{N}\\p{Pd}])`,
  'gu',
);

const KEY = new RegExp(`^[${READABLE_ALPHABET}]{${KEY_LENGTH}}$`);
const GROUPED = /^.{4}\p{Pd}.{4}\p{Pd}.{4}$/u;
const CODE = new RegExp(
  `^${VERIFICATION_CODE.prefix.replace('-', '')}[${READABLE_ALPHABET}]{${VERIFICATION_CODE.length}}$`,
);

/** Whether a typed text is an access key or a verification code by its shape; names of twelve letters are not. */
export function isCredential(typed: string): boolean {
  const text = typed.normalize('NFKC').trim();
  const letters = text.toUpperCase().replace(BETWEEN, '');
  const isName = !/\d/.test(text) && text !== text.toUpperCase() && !GROUPED.test(text);
  return CODE.test(letters) || (KEY.test(letters) && !isName);
}

/**
 * An access key as it is stored, however it was typed or pasted: in any case, with or without hyphens and spaces, and with what a message
 * has around it.
 */
export function accessKeyForm(typed: string): string {
  const text = typed.normalize('NFKC').toUpperCase();
  const letters = text.replace(BETWEEN, '');
  if (letters.length === KEY_LENGTH) return letters.replace(GROUPS, '$&-');
  const within = [...text.matchAll(KEY_WITHIN)].map(([key]) => key.replace(BETWEEN, ''));
  if (new Set(within).size === 1) return within[0]?.replace(GROUPS, '$&-') ?? '';
  // Not one of ours; a key of another form may still be stored.
  return text.replace(/\s/g, '');
}
