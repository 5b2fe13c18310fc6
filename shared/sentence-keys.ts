/** Key syntax for i18next: a key is never searched for natural text, and has no namespace. */
export const SENTENCE_KEYS = { keySeparator: '.', nsSeparator: false } as const;
