import i18next, { type TFunction } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type en from '../shared/locales/en.json';
import enAdmin from '../shared/locales/en.json?admin';
import enFirst from '../shared/locales/en.json?first';
import enMember from '../shared/locales/en.json?member';
import enNotices from '../shared/locales/en.json?notices';
import enVisitor from '../shared/locales/en.json?visitor';
import esAdmin from '../shared/locales/es.json?admin';
import esFirst from '../shared/locales/es.json?first';
import esMember from '../shared/locales/es.json?member';
import esNotices from '../shared/locales/es.json?notices';
import esVisitor from '../shared/locales/es.json?visitor';
import ptAdmin from '../shared/locales/pt.json?admin';
import ptFirst from '../shared/locales/pt.json?first';
import ptMember from '../shared/locales/pt.json?member';
import ptNotices from '../shared/locales/pt.json?notices';
import ptVisitor from '../shared/locales/pt.json?visitor';
import { SENTENCE_KEYS } from '../shared/sentence-keys.ts';
import { within } from './api/request.ts';
import { localStore } from './lib/storage.ts';
import { formatLocale, withDayTexts } from './lib/time-text.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

type Part = 'visitor' | 'member' | 'admin' | 'notices';

/** A language's sentences are split, so that members don't load those of the dashboard. Those of `visitor` are also in `member`. */
const files = {
  visitor: { en: enVisitor, es: esVisitor, pt: ptVisitor },
  member: { en: enMember, es: esMember, pt: ptMember },
  admin: { en: enAdmin, es: esAdmin, pt: ptAdmin },
  notices: { en: enNotices, es: esNotices, pt: ptNotices },
};

/** Section 9 of the specification. Names are in the language itself. */
export const LANGUAGES = [
  { code: 'en', name: 'English' },
  { code: 'es', name: 'Español' },
  { code: 'pt', name: 'Português' },
] as const;
export type Language = (typeof LANGUAGES)[number]['code'];

const STORED = 'language';
const DEFAULT: Language = 'en';

const supported = (tag: string | null): Language | undefined =>
  LANGUAGES.find(({ code }) => code === tag?.slice(0, 2).toLowerCase())?.code;

/** The stored choice, else the first supported language of the browser, else English. */
function firstLanguage(): Language {
  return (
    supported(localStore.getItem(STORED)) ??
    navigator.languages.map(supported).find(Boolean) ??
    DEFAULT
  );
}

/** The parts in use. They are loaded for each language that is shown. */
const parts = new Set<Part>();
const loaded = new Set<string>();

async function addSentences(language: Language, part: Part): Promise<void> {
  const name = `${language} ${part}`;
  if (loaded.has(name)) return;
  i18next.addResourceBundle(language, 'translation', await load(language, part), true);
  loaded.add(name);
}

/** Downloads under way, so that nothing is fetched twice at a time. A failed one is fetched again by the next call. */
const downloads = new Map<string, Promise<object>>();

function load(language: Language, part: Part): Promise<object> {
  const name = `${language} ${part}`;
  const download =
    downloads.get(name) ?? files[part][language](fetchJson).finally(() => downloads.delete(name));
  downloads.set(name, download);
  return download;
}

/** Fetched instead of imported: Firefox, and Chromium up to 153, never retry a failed import. */
async function fetchJson(url: string): Promise<object> {
  const answer = await fetch(url, { signal: within(GIVE_UP_MS) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const content: unknown = await answer.json();
  if (typeof content !== 'object' || content === null) throw new Error(`${url}: no sentences`);
  return content;
}

/** The few sentences needed before a file has loaded, bundled with the code. */
const FIRST = { en: enFirst, es: esFirst, pt: ptFirst };
/** Show another language if the wanted one hasn't loaded after this long. */
const LOAD_TIMEOUT_MS = 8_000;
/** Abort a download after this long, since a network that drops packets never answers. */
const GIVE_UP_MS = 60_000;
/** Exponential back-off between retries, in milliseconds. */
const FIRST_PAUSE_MS = 2_000;
const LAST_PAUSE_MS = 60_000;

/**
 * Loads the sentences of one language. If that fails, shows another language and keeps retrying.
 * @param onNone called when no language could be loaded at first
 * @param first the part that the first page needs
 * @returns once any language is shown
 */
export async function startLanguage(
  language = firstLanguage(),
  onNone: () => void = () => {},
  first: 'visitor' | 'member' = 'member',
): Promise<void> {
  parts.add(first);
  // Start the download before i18next initializes. `addSentences` handles failures.
  load(language, first).catch(() => {});
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: Object.fromEntries(
      Object.entries(FIRST).map(([code, translation]) => [code, { translation }]),
    ),
    // A sentence that is missing in one language is shown in another.
    fallbackLng: [DEFAULT, ...LANGUAGES.map(({ code }) => code)],
    ...SENTENCE_KEYS,
    // React escapes values already.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  // Formats dates as in the server's error messages.
  i18next.services.formatter?.add('day', (value, code) =>
    withDayTexts(String(value), formatLocale(code ?? language)),
  );
  i18next.services.formatter?.add('moment', (value, code) =>
    new Intl.DateTimeFormat(formatLocale(code ?? language), {
      dateStyle: 'medium',
      timeStyle: 'short',
    }).format(new Date(String(value))),
  );
  document.documentElement.lang = language;
  if (await succeeds(addSentences(language, first))) return;
  const others = new Set<Language>([DEFAULT, ...LANGUAGES.map(({ code }) => code)]);
  others.delete(language);
  await new Promise<void>(
    (onShown) => void showFirstAvailable(language, [...others], onShown, onNone),
  );
}

const succeeds = (loading: Promise<unknown>): Promise<boolean> =>
  inTime(LOAD_TIMEOUT_MS, loading).then(
    () => true,
    () => false,
  );

/** Shows one of the other languages until the wanted one has loaded. Stops if the user chooses a language. */
async function showFirstAvailable(
  wanted: Language,
  others: readonly Language[],
  onShown = (): void => {},
  onNone = (): void => {},
): Promise<void> {
  const choice = choices;
  let candidates = [...others, wanted];
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
    for (const language of candidates) {
      if (!(await succeeds(addParts(language)))) continue;
      if (choice !== choices) return;
      await show(language);
      onShown();
      if (language === wanted) return;
      candidates = [wanted];
      break;
    }
    if (candidates.length > 1) onNone();
    await nextTry(pause);
    if (choice !== choices) return;
  }
}

/** Waits until the pause is over or the network is back. */
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
  // The loop also picks up parts added while it runs, as when the dashboard opens.
  for (const part of parts) await addSentences(language, part);
}

async function show(language: Language): Promise<void> {
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/**
 * Call before rendering anything but a visitor's landing page.
 * @throws if they can't be loaded in any language
 */
export const loadMemberSentences = (): Promise<void> => loadSentences('member');

/**
 * Call before rendering the dashboard.
 * @throws if they can't be loaded in any language
 */
export const loadAdminSentences = (): Promise<void> => loadSentences('admin');

/**
 * Call before rendering the notifications page.
 * @throws if they can't be loaded in any language
 */
export const loadNoticeSentences = (): Promise<void> => loadSentences('notices');

async function loadSentences(part: Part): Promise<void> {
  parts.add(part);
  const language = supported(i18next.language) ?? DEFAULT;
  if (await succeeds(addSentences(language, part))) return;
  // i18next falls back to a language that has them.
  await Promise.any(LANGUAGES.map(({ code }) => addSentences(code, part)));
  void showFirstAvailable(language, []);
}

/**
 * A translator for one language, such as for the words of a file in another language.
 * @throws if its sentences can't be loaded
 */
export async function loadSentencesOf(language: Language): Promise<TFunction> {
  await Promise.all([addSentences(language, 'member'), addSentences(language, 'admin')]);
  return i18next.getFixedT(language);
}

let choices = 0;

/**
 * Switches the language and stores the choice. If called again while loading, the last call wins.
 * @throws if its sentences can't be loaded; the language stays the same. A superseded call doesn't throw.
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

/** @throws if `work` rejects or takes longer than `ms` */
export function inTime<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('not in time')), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
