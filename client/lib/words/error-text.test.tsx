import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, request } from '../../api/request.ts';
import { changeLanguage } from '../../i18n.ts';
import { useErrorText, useWithErrorId } from './error-text.ts';

afterEach(() => changeLanguage('en'));

test.each([
  ['en', 1, 'Too many attempts. Please wait 1 second.', /in 1 second\.$/],
  ['en', 2, 'Too many attempts. Please wait 2 seconds.', /in 2 seconds\.$/],
  ['es', 1, 'Demasiados intentos. Espera 1 segundo.', /en 1 segundo\.$/],
  ['es', 2, 'Demasiados intentos. Espera 2 segundos.', /en 2 segundos\.$/],
  ['pt', 1, 'Tentativas demais. Aguarde 1 segundo.', /em 1 segundo\.$/],
  ['pt', 2, 'Tentativas demais. Aguarde 2 segundos.', /em 2 segundos\.$/],
] as const)(
  'in %s one is asked to wait %i s in its own number',
  async (language, seconds, tries, busy) => {
    await changeLanguage(language);
    const { result } = renderHook(useErrorText);
    expect(
      result.current(new ApiError(429, 'request.tooManyTries', { seconds }, 'of the server')),
    ).toBe(tries);
    expect(result.current(new ApiError(503, 'server.busy', { seconds }, 'of the server'))).toMatch(
      busy,
    );
  },
);

const ID = '4f2a9c3b7d5e1068';

async function answered(status: number, code: string, id: string): Promise<unknown> {
  vi.stubGlobal('fetch', async () =>
    Response.json({ error: 'x', code, params: {} }, { status, headers: { 'X-Request-Id': id } }),
  );
  return request('/config').catch((caught: unknown) => caught);
}
const textOf = (error: unknown): string => renderHook(() => useErrorText()).result.current(error);

test('a server failure shows the id by which an admin finds it, in each language', async () => {
  const failed = await answered(500, 'server.failed', ID);
  for (const [language, end] of [
    ['es', `(ID del error: ${ID})`],
    ['pt', `(ID do erro: ${ID})`],
    ['en', `An error occurred. Please try again. (error ID: ${ID})`],
  ] as const) {
    await changeLanguage(language);
    expect(textOf(failed).endsWith(end)).toBe(true);
  }
  expect(renderHook(() => useWithErrorId()).result.current('Login failed', failed)).toBe(
    `Login failed (error ID: ${ID})`,
  );
});

test('refusals, other servers’ failures and invalid ids show none', async () => {
  expect(textOf(await answered(409, 'claim.sameSpot', ID))).toBe(
    'The claim is already on that spot and date.',
  );
  expect(textOf(await answered(502, 'server.failed', ID))).toBe(
    'An error occurred. Please try again.',
  );
  expect(textOf(await answered(500, 'server.failed', '<b>no id</b>'))).toBe(
    'An error occurred. Please try again.',
  );
  expect(textOf(new ApiError(500, 'server.failed', {}, 'x'))).toBe(
    'An error occurred. Please try again.',
  );
});
