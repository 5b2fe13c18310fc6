import i18next from 'i18next';
import en from '../shared/locales/en.json' with { type: 'json' };
import es from '../shared/locales/es.json' with { type: 'json' };
import pt from '../shared/locales/pt.json' with { type: 'json' };

/** What the server says to people outside the pages, in their own language. To be loaded with the first of it. */
const sentences = i18next.createInstance();
await sentences.init({
  fallbackLng: 'en',
  resources: { en: { translation: en }, es: { translation: es }, pt: { translation: pt } },
  // Said here, no key is searched for signs that it may be a sentence; and none names a namespace.
  keySeparator: '.',
  nsSeparator: false,
  interpolation: { escapeValue: false },
});

export const sentencesIn = (language: string) => sentences.getFixedT(language);
