import { renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../api/request.ts';
import { changeLanguage } from '../../i18n.ts';
import { useErrorText } from './error-text.ts';

afterEach(() => changeLanguage('en'));

test.each([
  ['en', 1, 'Too many tries. Please wait 1 second.', /in 1 second\.$/],
  ['en', 2, 'Too many tries. Please wait 2 seconds.', /in 2 seconds\.$/],
  ['es', 1, 'Demasiados intentos. Espera 1 segundo.', /en 1 segundo\.$/],
  ['es', 2, 'Demasiados intentos. Espera 2 segundos.', /en 2 segundos\.$/],
  ['pt', 1, 'Tentativas demais. Aguarde 1 segundo.', /em 1 segundo\.$/],
  ['pt', 2, 'Tentativas demais. Aguarde 2 segundos.', /em 2 segundos\.$/],
] as const)('in %s one is asked to wait %i s in its own number', async (language, seconds, tries, busy) => {
  await changeLanguage(language);
  const { result } = renderHook(useErrorText);
  expect(result.current(new ApiError(429, 'request.tooManyTries', { seconds }, 'of the server'))).toBe(tries);
  expect(result.current(new ApiError(503, 'server.busy', { seconds }, 'of the server'))).toMatch(busy);
});
