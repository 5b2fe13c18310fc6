import { expect, test, vi } from 'vitest';

test('a dashboard that opens while a language is on its way gets its sentences in that language, too', async () => {
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
