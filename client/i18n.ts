import i18next, { type TFunction } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type en from '../shared/locales/en.json';
import enFirst from '../shared/locales/en.json?first';
import esFirst from '../shared/locales/es.json?first';
import ptFirst from '../shared/locales/pt.json?first';
import { SENTENCE_KEYS } from '../shared/sentence-keys.ts';
import { localStore } from './lib/storage.ts';
import { formatLocale, withDayTexts } from './lib/time-text.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

type Part = 'member' | 'admin' | 'notices';

/** A language's sentences travel in parts: most people never open what only admins read, or have read a page once and for all. */
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
  notices: {
    en: () => import('../shared/locales/en.json?notices'),
    es: () => import('../shared/locales/es.json?notices'),
    pt: () => import('../shared/locales/pt.json?notices'),
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
  return supported(localStore.getItem(STORED)) ?? navigator.languages.map(supported).find(Boolean) ?? DEFAULT;
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

/** What can be said before any file has come: that it does not. */
const FIRST = { en: enFirst, es: esFirst, pt: ptFirst };
/** A language's file that has not come after this long, in milliseconds: another language is better than none. */
const PATIENCE_MS = 8_000;
/** Pauses before a file is asked for again, growing from the first to the last, in milliseconds. */
const FIRST_PAUSE_MS = 2_000;
const LAST_PAUSE_MS = 60_000;

/**
 * Only the sentences of the language in use are fetched. Where they do not come the page speaks another language meanwhile,
 * and asks for them until they do.
 * @param onNone told when no language came at once
 * @returns when there are sentences, in whatever language
 */
export async function startLanguage(language = firstLanguage(), onNone: () => void = () => {}): Promise<void> {
  // On its way already; what comes of it is seen below.
  load.member[language]().catch(() => {});
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: Object.fromEntries(Object.entries(FIRST).map(([code, translation]) => [code, { translation }])),
    // What one language has not is said in another.
    fallbackLng: [DEFAULT, ...LANGUAGES.map(({ code }) => code)],
    ...SENTENCE_KEYS,
    // React escapes by itself.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  // Sentences of ours and refusals of the server's tell dates alike.
  i18next.services.formatter?.add('day', (value, code) => withDayTexts(String(value), formatLocale(code ?? language)));
  document.documentElement.lang = language;
  if (await comes(addSentences(language, 'member'))) return;
  const others = new Set<Language>([DEFAULT, ...LANGUAGES.map(({ code }) => code)]);
  others.delete(language);
  await new Promise<void>((onSome) => void speakWhatComes(language, [...others], onSome, onNone));
}

const comes = (loading: Promise<unknown>): Promise<boolean> =>
  inTime(PATIENCE_MS, loading).then(
    () => true,
    () => false,
  );

/** Speaks one of the others until the wanted language comes, unless somebody has chosen one by then. */
async function speakWhatComes(
  wanted: Language,
  others: readonly Language[],
  onSome = (): void => {},
  onNone = (): void => {},
): Promise<void> {
  const choice = choices;
  let asked = [...others, wanted];
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
    for (const language of asked) {
      if (!(await comes(addParts(language)))) continue;
      if (choice !== choices) return;
      await show(language);
      onSome();
      if (language === wanted) return;
      asked = [wanted];
      break;
    }
    if (asked.length > 1) onNone();
    await nextTry(pause);
    if (choice !== choices) return;
  }
}

/** After a pause, or as soon as the network is back. */
function nextTry(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer);
      removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go);
  });
}

async function addParts(language: Language): Promise<void> {
  // A part that is asked for meanwhile comes next: the dashboard may be opening.
  for (const part of parts) await addSentences(language, part);
}

async function show(language: Language): Promise<void> {
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/**
 * Before anything of the dashboard is shown.
 * @throws when it cannot be said in any language
 */
export const loadAdminSentences = (): Promise<void> => loadSentences('admin');

/**
 * Before anything of the page of notifications is shown.
 * @throws when it cannot be said in any language
 */
export const loadNoticeSentences = (): Promise<void> => loadSentences('notices');

async function loadSentences(part: Part): Promise<void> {
  parts.add(part);
  const language = supported(i18next.language) ?? DEFAULT;
  if (await comes(addSentences(language, part))) return;
  // The fallback of i18next finds them.
  await Promise.any(LANGUAGES.map(({ code }) => addSentences(code, part)));
  void speakWhatComes(language, []);
}

/**
 * For what is shown in another language than the page: all that is said in it, without a change of the page's own.
 * @throws when its sentences cannot be fetched
 */
export async function loadSentencesOf(language: Language): Promise<TFunction> {
  await Promise.all([addSentences(language, 'member'), addSentences(language, 'admin')]);
  return i18next.getFixedT(language);
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
    await addParts(language);
  } catch (error) {
    if (isLast()) throw error;
  }
  if (!isLast()) return;
  await show(language);
  localStore.setItem(STORED, language);
}

/** @throws Error when the work has not ended after so many milliseconds, or as it does itself */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('not in time')), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
