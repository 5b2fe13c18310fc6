import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type en from '../shared/locales/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

type Part = 'member' | 'admin';

/** A language's sentences travel in two parts: most people never open what only admins read. */
const load: { [part in Part]: { [code in Language]: () => Promise<{ default: object }> } } = {
  member: {
    en: () => import('../shared/locales/en.json?member'),
    es: () => import('../shared/locales/es.json?member'),
    pt: () => import('../shared/locales/pt.json?member'),
  },
  admin: {
    en: () => import('../shared/locales/en.json?admin'),
    es: () => import('../shared/locales/es.json?admin'),
    pt: () => import('../shared/locales/pt.json?admin'),
  },
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

/** What this page needs in whatever language it is shown. */
const parts = new Set<Part>(['member']);
const added = new Set<string>();

async function addSentences(language: Language, part: Part): Promise<void> {
  const name = `${language} ${part}`;
  if (added.has(name)) return;
  i18next.addResourceBundle(language, 'translation', (await load[part][language]()).default, true);
  added.add(name);
}

/** Only the sentences of the language in use are fetched. */
export async function startLanguage(language = firstLanguage()): Promise<void> {
  const loading = load.member[language]();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: {},
    // React escapes by itself.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  await loading;
  await addSentences(language, 'member');
  document.documentElement.lang = language;
}

/** Before anything of the dashboard is shown. */
export async function loadAdminSentences(): Promise<void> {
  parts.add('admin');
  await addSentences(supported(i18next.language) ?? DEFAULT, 'admin');
}

let choices = 0;

/**
 * Shows everything in another language, and remembers it. Of several choices the last one counts, however long each takes.
 * @throws when its sentences cannot be fetched and no other language was chosen meanwhile; the language is the old one then
 */
export async function changeLanguage(language: Language): Promise<void> {
  const choice = ++choices;
  const isLast = (): boolean => choice === choices;
  try {
    // A part that is asked for meanwhile comes next: the dashboard may be opening.
    for (const part of parts) await addSentences(language, part);
  } catch (error) {
    if (isLast()) throw error;
  }
  if (!isLast()) return;
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  localStorage.setItem(STORED, language);
}
