import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type en from '../shared/locales/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

type Sentences = typeof en;

const load: { [code in Language]: () => Promise<{ default: Sentences }> } = {
  en: () => import('../shared/locales/en.json'),
  es: () => import('../shared/locales/es.json'),
  pt: () => import('../shared/locales/pt.json'),
};

/** Section 9 of the specification, each in its own words. */
export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'es', name: 'Español' },
  { code: 'pt', name: 'Português' },
] as const;
export type Language = (typeof LANGUAGES)[number]['code'];

const STORED = 'language';
const DEFAULT: Language = 'en';

const supported = (tag: string | null): Language | undefined => LANGUAGES.find(({ code }) => code === tag?.slice(0, 2).toLowerCase())?.code;

/** What was chosen here before, else the first of the browser's languages that we speak, else English. */
function firstLanguage(): Language {
  return supported(localStorage.getItem(STORED)) ?? navigator.languages.map(supported).find(Boolean) ?? DEFAULT;
}

async function loadSentences(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, 'translation')) return;
  i18next.addResourceBundle(language, 'translation', (await load[language]()).default);
}

/** Only the sentences of the language in use are fetched. */
export async function startLanguage(language = firstLanguage()): Promise<void> {
  const sentences = await load[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: { translation: sentences.default } },
    // React escapes by itself.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  document.documentElement.lang = language;
}

export async function changeLanguage(language: Language): Promise<void> {
  await loadSentences(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  localStorage.setItem(STORED, language);
}
