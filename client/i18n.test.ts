import { afterEach, expect, test, vi } from 'vitest';

/** Tests import the sentences; only a build fetches them. */
const neverFetched = (url: string): Promise<object> => Promise.reject(new Error(url));

test('a dashboard that opens while a language loads gets its sentences in that language', async () => {
  // The set-up of the tests has opened the dashboard already.
  vi.resetModules();
  const { default: i18next } = await import('i18next');
  const { changeLanguage, loadAdminSentences, startLanguage } = await import('./i18n.ts');
  await startLanguage('en');
  const changing = changeLanguage('pt');
  await loadAdminSentences();
  await changing;
  expect(i18next.language).toBe('pt');
  expect(i18next.getResourceBundle('pt', 'translation')).toHaveProperty('admin.tabs');
});

test('a language file that is loaded before the start is used at once', async () => {
  vi.resetModules();
  const { default: i18next } = await import('i18next');
  const { startLanguage } = await import('./i18n.ts');
  const init = i18next.init.bind(i18next);
  vi.spyOn(i18next, 'init').mockImplementation(async (...all) => {
    await (await import('../shared/locales/pt.json?member')).default(neverFetched);
    await new Promise((resolve) => setTimeout(resolve));
    return init(...all);
  });
  await startLanguage('pt');
  expect([i18next.language, i18next.t('shell.home')]).toEqual(['pt', 'Início']);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const name of ['es', 'en', 'pt']) vi.doUnmock(`../shared/locales/${name}.json?member`);
});

/** A fake network: the files of these languages load only after the test releases them. */
async function without(...codes: string[]) {
  vi.resetModules();
  vi.useFakeTimers();
  const away = new Set(codes);
  for (const code of codes) {
    vi.doMock(`../shared/locales/${code}.json?member`, async (original) => {
      const { default: load } = await original<{
        default: (fetchJson: typeof neverFetched) => Promise<object>;
      }>();
      return {
        default: async () =>
          away.has(code) ? Promise.reject(new TypeError('Failed to fetch')) : load(neverFetched),
      };
    });
  }
  const { default: i18next } = await import('i18next');
  return { i18next, ...(await import('./i18n.ts')), unblock: () => away.clear() };
}

/** The clock is fake, the files are real. */
const inWhatTimeItTakes = (judge: () => void): Promise<void> =>
  vi.waitFor(
    async () => {
      await vi.advanceTimersByTimeAsync(60_000);
      judge();
    },
    { timeout: 20_000 },
  );

test('shows English while a language fails to load, and retries', async () => {
  const { i18next, startLanguage, unblock } = await without('es');
  await startLanguage('es');
  expect([i18next.language, i18next.t('shell.home')]).toEqual(['en', 'Home']);
  unblock();
  await inWhatTimeItTakes(() =>
    expect([i18next.language, i18next.t('shell.home')]).toEqual(['es', 'Inicio']),
  );
  expect(document.documentElement.lang).toBe('es');
});

test('without any language the page can say so, and continues when one loads', async () => {
  const { i18next, startLanguage, unblock } = await without('es', 'en', 'pt');
  const onNone = vi.fn();
  const started = startLanguage('es', onNone);
  await inWhatTimeItTakes(() => expect(onNone).toHaveBeenCalled());
  expect(i18next.t('shell.partFailed.title')).toBe('No se pudo cargar esta parte de la página');
  unblock();
  await inWhatTimeItTakes(() => expect(i18next.exists('shell.home')).toBe(true));
  await started;
});

/** Like a build: Spanish is a file to fetch. */
async function withSpanishFetched(...answers: (() => Promise<Response>)[]) {
  vi.resetModules();
  vi.doMock('../shared/locales/es.json?member', () => ({
    default: (fetchJson: (url: string) => Promise<object>) => fetchJson('/static/es.json'),
  }));
  const fetch = vi.fn(() =>
    (answers.shift() ?? (() => Promise.reject(new Error('asked too often'))))(),
  );
  vi.stubGlobal('fetch', fetch);
  const { default: i18next } = await import('i18next');
  return { i18next, fetch, ...(await import('./i18n.ts')) };
}
const SPANISH = async (): Promise<Response> => Response.json({ shell: { home: 'Inicio' } });

test('a language is fetched once at the start, and again where that failed', async () => {
  const gone = async (): Promise<Response> => new Response('', { status: 404 });
  const { i18next, fetch, startLanguage, changeLanguage } = await withSpanishFetched(
    gone,
    () => Promise.reject(new TypeError()),
    SPANISH,
  );
  await startLanguage('en');
  await expect(changeLanguage('es')).rejects.toThrow('404');
  await expect(changeLanguage('es')).rejects.toThrow();
  expect(i18next.language).toBe('en');
  await changeLanguage('es');
  expect([i18next.language, i18next.t('shell.home')]).toEqual(['es', 'Inicio']);
  expect(fetch).toHaveBeenCalledTimes(3);
});

test('two who ask for a language at the same time share one download', async () => {
  const { i18next, fetch, startLanguage } = await withSpanishFetched(SPANISH);
  await startLanguage('es');
  expect(i18next.t('shell.home')).toBe('Inicio');
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('a visitor loads the sentences of the landing page alone, and the others before anything else is shown', async () => {
  vi.resetModules();
  const { default: i18next } = await import('i18next');
  const { loadMemberSentences, startLanguage } = await import('./i18n.ts');
  await startLanguage('en', () => {}, 'visitor');
  // The panel, its button of Discord, and the menu of a phone.
  for (const key of ['board.visitor.verify', 'login.discord', 'palette.title'] as const)
    expect(i18next.exists(key), key).toBe(true);
  expect(i18next.exists('board.dates')).toBe(false);
  await loadMemberSentences();
  expect(i18next.exists('board.dates')).toBe(true);
});
