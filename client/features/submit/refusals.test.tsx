import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errors } from '../../../shared/error-codes.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import en from '../../../shared/locales/en.json' with { type: 'json' };
import es from '../../../shared/locales/es.json' with { type: 'json' };
import pt from '../../../shared/locales/pt.json' with { type: 'json' };
import { changeLanguage } from '../../i18n.ts';
import { formatLocale, withDayTexts } from '../../lib/time-text.ts';
import { clearBoard } from '../../state/board-store.ts';
import { FakeServer, ok, refused } from './test/fake-server.ts';
import { showSubmitPage, signIn } from './test/show-submit-page.tsx';

/** Values for every placeholder that the sentences of claims have. */
const params = {
  date: '2026-11-21',
  start: '2026-11-15',
  end: '2026-11-28',
  last: '2027-01-20',
  hour: 14,
  duration: 4,
  max: 4,
  part: 2,
  first_start: 10,
  first_end: 12,
  second_start: 11,
  second_end: 13,
};
const locales = { en, es, pt };
const isAboutClaims = (code: string): code is ErrorCode =>
  /^(claim|split|secondary|times)\./.test(code);
/** Its sentence has a plural and a time of day: `missed-claims` tests show it. */
const TESTED_ELSEWHERE: ErrorCode = 'claim.missedTooMany';
const codes = Object.keys(errors)
  .filter(isAboutClaims)
  .filter((code) => code !== TESTED_ELSEWHERE);

function sentence(language: keyof typeof locales, code: ErrorCode): string {
  const values: Record<string, string | number> = params;
  const [group = '', name = ''] = code.split('.');
  const groups: Record<string, Record<string, string>> = locales[language].errors;
  return (groups[group]?.[name] ?? '').replace(/\{\{(\w+)(, day)?\}\}/g, (_, key: string, isDay) =>
    isDay ? withDayTexts(String(values[key]), formatLocale(language)) : String(values[key]),
  );
}

beforeEach(() => {
  clearBoard();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  // Before the language changes, which would draw all of the page once more.
  cleanup();
  await changeLanguage('en');
});

test.each(['en', 'es', 'pt'] as const)(
  'in %s each refusal is a complete sentence, and the selection is kept',
  async (language) => {
    await changeLanguage(language);
    const server = new FakeServer()
      .on('GET', '/respawns/', () => ok([]))
      .on('GET', '/claims/check-character-claims/', () =>
        ok({ hasClaimsForDate: false, claimsForDate: [] }),
      );
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    const submit = screen.getByRole('button', { name: /^(Submit|Enviar) 1/ });
    for (const [at, code] of codes.entries()) {
      server.on('POST', '/claims', () => refused(errors[code].status, code, params));
      await userEvent.click(submit);
      await waitFor(() =>
        expect(screen.getByRole('alert').textContent, code).toBe(sentence(language, code)),
      );
      expect(server.made('POST', '/claims'), code).toHaveLength(at + 1);
      const { textContent } = screen.getByRole('alert');
      expect(textContent, code).not.toMatch(/[{}]|undefined/);
      expect(textContent, code).not.toContain(params.date);
      expect(document.querySelector('[data-hour="14"]')?.getAttribute('aria-pressed'), code).toBe(
        'true',
      );
    }
  },
);
