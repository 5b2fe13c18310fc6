import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ToastHost } from '../../ui/toast.tsx';
import { LanguageMenu } from './navbar.tsx';

/** Sentences that are on their way until the test lets them arrive, or get lost. */
const askedFor = vi.hoisted(() => ({ es: vi.fn(), pt: vi.fn() }));
const onTheWay = vi.hoisted(() => ({
  es: Promise.withResolvers<void>(),
  pt: Promise.withResolvers<void>(),
}));
vi.mock('../../../shared/locales/es.json?member&content', async () => {
  askedFor.es();
  await onTheWay.es.promise;
  return { default: {} };
});
vi.mock('../../../shared/locales/pt.json?member&content', async (original) => {
  askedFor.pt();
  await onTheWay.pt.promise;
  return await original<{ default: object }>();
});

beforeEach(() => {
  render(
    <>
      <LanguageMenu />
      <ToastHost />
    </>,
  );
});

const trigger = (): HTMLElement => screen.getByRole('button', { name: /: (EN|ES|PT)$/ });
async function choose(language: string): Promise<void> {
  await userEvent.click(trigger());
  await userEvent.click(await screen.findByRole('menuitemradio', { name: language }));
}
/** Everything that waits for what has arrived is done. */
const settle = (): Promise<void> =>
  act(() => new Promise<void>((resolve) => setTimeout(resolve, 50)));
const languageState = (): unknown[] => [
  trigger().textContent,
  document.documentElement.lang,
  localStorage.getItem('language'),
];
const toast = (): HTMLElement | null =>
  screen.queryByText("Couldn't load the language. Check your connection and try again.");

test('the last language chosen wins, though an earlier one arrives after it', async () => {
  await choose('Português');
  await choose('English');
  await waitFor(() => expect(askedFor.pt).toHaveBeenCalled());
  expect(languageState()).toEqual(['EN', 'en', 'en']);
  onTheWay.pt.resolve();
  await settle();
  expect(languageState()).toEqual(['EN', 'en', 'en']);
  await choose('Português');
  await waitFor(() => expect(languageState()).toEqual(['PT', 'pt', 'pt']));
  await choose('English');
  await waitFor(() => expect(languageState()).toEqual(['EN', 'en', 'en']));
});

test('a language that fails to load is reported only while it is chosen; the old one stays, and a reload tries again', async () => {
  await choose('Español');
  await choose('English');
  await waitFor(() => expect(askedFor.es).toHaveBeenCalled());
  onTheWay.es.reject(new TypeError('Failed to fetch'));
  await settle();
  expect(toast()).toBeNull();
  await choose('Español');
  await waitFor(() => expect(toast()).not.toBeNull());
  expect(languageState()).toEqual(['EN', 'en', 'en']);
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  await userEvent.click(screen.getByRole('button', { name: 'Reload the page' }));
  expect(reload).toHaveBeenCalledOnce();
});
