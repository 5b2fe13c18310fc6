/** A key as it is stored: pasted ones come with spaces around and within, or in small letters. */
export function tidyKey(typed: string): string {
  return typed.replace(/\s+/g, '').toUpperCase();
}
