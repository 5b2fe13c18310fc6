/** R1.1: names are trimmed and their inner spaces collapsed. */
export function tidyName(name: string): string {
  return name.trim().replace(/\s+/g, ' ');
}

/** R1.1: the form in which two names are the same name. */
export function nameKey(name: string): string {
  return tidyName(name).toLowerCase();
}

/** Telephones type these for an apostrophe. */
const APOSTROPHES = /[‘’´`]/g;

/** A character's name as the game would write it, from however its owner's keyboard does. */
export function gameName(typed: string): string {
  return tidyName(typed.normalize('NFC').replace(APOSTROPHES, "'"));
}
