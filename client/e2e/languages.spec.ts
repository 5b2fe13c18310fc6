import type { Page } from '@playwright/test';
import { EVERYWHERE, expect, goInApp, loginWithKey, newPerson, test } from './fixtures.ts';

const choose = async (page: Page, from: string, language: string): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(`: ${from}$`) }).click();
  await page.getByRole('menuitemradio', { name: language }).click();
};
const heading = (page: Page, name: RegExp) => page.getByRole('heading', { level: 1, name });

test('the language is switched from English to Spanish to Portuguese, on every page and after a reload', {
  tag: EVERYWHERE,
}, async ({ board, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  await loginWithKey(page, board.url, key.key_value);
  await page.getByRole('link', { name: 'Home' }).click();
  const html = page.locator('html');
  await expect(heading(page, /^Vouchers from \d+ \w+ - \d+ \w+$/)).toBeVisible();
  await expect(html).toHaveAttribute('lang', 'en');

  await choose(page, 'EN', 'Español');
  await expect(heading(page, /^Vales del /)).toBeVisible();
  await expect(html).toHaveAttribute('lang', 'es');
  await expect(page.getByRole('radiogroup', { name: 'Mostrar' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Categorías' })).toBeVisible();

  await choose(page, 'ES', 'Português');
  await expect(heading(page, /^Vouchers de /)).toBeVisible();
  await expect(html).toHaveAttribute('lang', 'pt');
  await expect(
    page
      .getByRole('complementary', { name: 'Filtros' })
      .getByRole('link', { name: 'Minhas reservas' }),
  ).toBeVisible();
  await expect(page.getByText('Vouchers from')).toHaveCount(0);

  // Remembered here, against the browser's own language.
  await page.reload();
  await expect(heading(page, /^Vouchers de /)).toBeVisible();
  await expect(html).toHaveAttribute('lang', 'pt');
  await goInApp(page, '/login');
  await expect(html).toHaveAttribute('lang', 'pt');
  await choose(page, 'PT', 'English');
  await expect(page.getByRole('main').getByRole('heading', { name: 'Login' })).toBeVisible();
  await expect(html).toHaveAttribute('lang', 'en');
});

for (const { locale, lang, button } of [
  { locale: 'en-US', lang: 'en', button: 'Start Character Verification' },
  { locale: 'es-MX', lang: 'es', button: 'Iniciar verificación de personaje' },
  { locale: 'pt-PT', lang: 'pt', button: 'Iniciar verificação do personagem' },
  { locale: 'fr-FR', lang: 'en', button: 'Start Character Verification' },
]) {
  test(`a browser in ${locale} starts in ${lang}`, async ({ board, browser }) => {
    const page = await newPerson(browser, { locale });
    await page.goto(board.url);
    await expect(page.getByRole('link', { name: button })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
  });
}
