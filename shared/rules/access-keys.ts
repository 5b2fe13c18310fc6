/** Characters of a key, in groups of four with hyphens between them: K7QM-2F9A-XW3C. */
const KEY_LENGTH = 12;
const GROUPS = /.{4}(?=.)/g;
/** Spaces and line breaks, dashes of any kind, and invisible characters. */
const BETWEEN = /[\s\p{Pd}\p{Cf}\u2212]+/gu;

/** An access key as it is stored, however it was typed or pasted: in any case, with or without hyphens and spaces. */
export function accessKeyForm(typed: string): string {
  const text = typed.normalize('NFKC').toUpperCase();
  const letters = text.replace(BETWEEN, '');
  if (letters.length === KEY_LENGTH) return letters.replace(GROUPS, '$&-');
  // Not one of ours; a key of another form may still be stored.
  return text.replace(/\s/g, '');
}
