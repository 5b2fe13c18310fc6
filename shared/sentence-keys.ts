/** How sentences are named, for i18next. Said, no key is searched for signs that it may be a sentence; and none names a namespace. */
export const SENTENCE_KEYS = { keySeparator: '.', nsSeparator: false } as const;
