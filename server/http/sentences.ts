import i18next from 'i18next';
import en from '../../shared/locales/en.json' with { type: 'json' };
import es from '../../shared/locales/es.json' with { type: 'json' };
import pt from '../../shared/locales/pt.json' with { type: 'json' };
import { SENTENCE_KEYS } from '../../shared/sentence-keys.ts';

/** What the server says to people outside the pages, in their own language. To be loaded with the first of it. */
const sentences = i18next.createInstance();
await sentences.init({
  fallbackLng: 'en',
  resources: { en: { translation: en }, es: { translation: es }, pt: { translation: pt } },
  ...SENTENCE_KEYS,
  interpolation: { escapeValue: false },
});

export const sentencesIn = (language: string) => sentences.getFixedT(language);
