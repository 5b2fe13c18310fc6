import i18next, { type i18n, type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';

/** What says the sentences of the language in use; other ones for each language, as a component that is memoised looks at them alone. */
interface Words {
  t: TFunction;
  i18n: i18n;
}

let words: Words | null = null;
const listeners = new Set<() => void>();

i18next.on('languageChanged', () => {
  words = null;
  for (const tell of listeners) tell();
});

function wordsNow(): Words {
  words ??= { t: i18next.getFixedT(i18next.language, 'translation'), i18n: new Proxy(i18next, {}) };
  return words;
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

/** In place of the package react-i18next (see vite.config.ts): one listener for all, and one hook for each. */
export const useTranslation = (): Words => useSyncExternalStore(listen, wordsNow);
