import { expect, KILLS, loginWithKey, test } from './fixtures.ts';

test.use({ serviceWorkers: 'allow', pictures: true });

test('the installed app opens without a server, says so, shows no old claims, and reconnects', {
  tag: KILLS,
}, async ({ board, page }) => {
  await board.anActiveEvent();
  const key = await board.aKey('Sable Quinn');
  await page.goto(board.url);
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The files that were loaded before it took over are kept from the second visit on.
  await loginWithKey(page, board.url, key.key_value);
  await page.goto(board.url);
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible();

  const kept = await page.evaluate(async () => {
    const files = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return files.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toContain('/');
  expect(kept.filter((path) => path.startsWith('/api') || path.startsWith('/socket.io'))).toEqual(
    [],
  );

  await board.kill();
  await page.reload();
  await expect(page.getByRole('heading', { name: "Couldn't load the board" })).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByRole('article')).toHaveCount(0);

  await board.restart();
  await expect(page.getByRole('heading', { name: /Vouchers from/ })).toBeVisible({
    timeout: 30_000,
  });
});

test('the app can be installed: its manifest and icons are valid', async ({ board, page }) => {
  await page.goto(board.url);
  const href = await page.locator('link[rel="manifest"]').getAttribute('href');
  const manifest: {
    start_url: string;
    display: string;
    icons: { src: string; sizes: string; type: string }[];
  } = await (await page.request.get(`${board.url}${href}`)).json();
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' });
  const drawn = manifest.icons.filter(({ type }) => type === 'image/png');
  expect(drawn.length).toBeGreaterThanOrEqual(2);
  for (const { src, sizes } of drawn) {
    const size = await page.evaluate(async (url) => {
      const bitmap = await createImageBitmap(await (await fetch(url)).blob());
      return `${bitmap.width}x${bitmap.height}`;
    }, src);
    expect({ src, size }).toEqual({ src, size: sizes });
  }
});
