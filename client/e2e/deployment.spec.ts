import type { Page } from '@playwright/test';
import { portalPage, type WebFaultProxy } from '../../server/dev/test/web-fault-proxy.ts';
import { buildOf } from '../../shared/build.ts';
import {
  BOARD_OF_CLAIMS,
  type Claimboard,
  expect,
  KILLS,
  serverSaveNow,
  signInWithKey,
  test,
} from './fixtures.ts';

const NEWER = '0123456789abcdef';

interface Deployment {
  /** From now on the server is one of another build than the page, until a page of it is loaded. */
  deploy: () => Promise<void>;
}

/** One build plays both: under another name first, then, after a reload, under its own again. */
async function anotherBuild(
  page: Page,
  board: Claimboard,
  network: WebFaultProxy,
): Promise<Deployment> {
  const own = buildOf(await (await page.request.get(board.url)).text()) ?? '';
  expect(own).not.toBe('');
  let isOther = false;
  const named = (text: string): string => (isOther ? text.replaceAll(own, NEWER) : text);
  network.rewrite(named);
  await page.route(
    (url) => url.pathname === '/' || url.pathname.startsWith('/api/'),
    async (route) => {
      if (route.request().isNavigationRequest()) isOther = false;
      if (!isOther) return route.continue();
      const answer = await route.fetch().catch(() => null);
      if (!answer) return route.abort();
      const headers = Object.fromEntries(
        Object.entries(answer.headers()).map(([name, value]) => [name, named(value)]),
      );
      await route.fulfill({ response: answer, headers, body: named(await answer.text()) });
    },
  );
  return {
    deploy: async () => {
      await board.kill();
      isOther = true;
      await board.restart();
    },
  };
}

/** Marks the page until it is reloaded. */
const mark = (page: Page): Promise<void> =>
  page.evaluate(() => void document.body.setAttribute('data-before', ''));
const marked = (page: Page) => page.locator('body[data-before]');
const notice = (page: Page) => page.getByText('A new version is available');

test('an open board reloads as the new version after a deployment', { tag: KILLS }, async ({
  board,
  network,
  page,
}) => {
  await board.anActiveEvent();
  const { deploy } = await anotherBuild(page, board, network);
  await signInWithKey(
    page,
    network.url,
    (await board.aKey('Sable Quinn')).key_value,
    BOARD_OF_CLAIMS,
  );
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await mark(page);
  await deploy();
  await expect(marked(page)).toHaveCount(0, { timeout: 40_000 });
  await expect(page.getByText('Live', { exact: true })).toBeVisible({ timeout: 20_000 });
  await expect(notice(page)).toHaveCount(0);
});

test('a half-filled form announces the new version and stays; after leaving it, the page reloads', {
  tag: KILLS,
}, async ({ board, network, page }) => {
  await board.anActiveEvent();
  const { deploy } = await anotherBuild(page, board, network);
  await signInWithKey(page, network.url, (await board.aKey('Sable Quinn')).key_value);
  const box = page.getByRole('combobox', { name: 'Spot', exact: true });
  await box.click();
  await box.fill('Cobra Bastion');
  await page.getByRole('option', { name: 'Cobra Bastion', exact: true }).click();
  await page.getByRole('button', { name: /^SS\+10,/ }).click();
  await mark(page);
  await deploy();
  await expect(notice(page)).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit 1 claim' })).toBeEnabled();
  await page.getByRole('button', { name: 'Submit 1 claim' }).click();
  await expect(page.getByText('Claims Submitted Successfully!')).toBeVisible();
  await page.getByRole('link', { name: 'View Claims on Main Page' }).click();
  await expect(marked(page)).toHaveCount(0, { timeout: 20_000 });
  await expect(page.getByRole('article').getByText('Sable Quinn').first()).toBeVisible();
});

test('a page whose code is missing reloads once, then says so, and its button tries again', {
  tag: KILLS,
}, async ({ board, page }) => {
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.goto(board.url);
  await page.route('**/static/login-page-*.js', (route) =>
    route.fulfill({ status: 404, body: '' }),
  );
  await page
    .getByRole('link', { name: /log ?in/i })
    .first()
    .click();
  await expect(
    page.getByRole('heading', { name: "This part of the page couldn't be loaded" }),
  ).toBeVisible({ timeout: 30_000 });
  expect(loads).toBe(2);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => loads).toBe(3);
  await expect(
    page.getByRole('heading', { name: "This part of the page couldn't be loaded" }),
  ).toBeVisible({ timeout: 30_000 });
  await board.kill();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText("The server can't be reached yet.")).toBeVisible();
  await board.restart();
  await page.unroute('**/static/login-page-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(
    page.getByLabel('Access key', { exact: true }).or(page.getByLabel('Username')),
  ).toBeVisible();
  expect(loads).toBe(4);
});

test.describe('in Spanish', () => {
  test.use({ locale: 'es-ES' });

  test('a language that fails to load is replaced by another one, and requested again', async ({
    board,
    page,
  }) => {
    await page.route('**/static/es-*.json', (route) => route.abort());
    await page.goto(board.url);
    await expect(page.getByRole('link', { name: 'Home' })).toBeVisible({ timeout: 20_000 });
    await page.unroute('**/static/es-*.json');
    await expect(page.getByRole('link', { name: 'Inicio' })).toBeVisible({ timeout: 30_000 });
  });

  test('a page whose language cannot be loaded says so, and continues when it loads', async ({
    board,
    page,
  }) => {
    await page.route(/\/static\/(en|es|pt)-.*\.json/, (route) => route.abort());
    await page.goto(board.url);
    await expect(
      page.getByRole('heading', { name: 'No se pudo cargar esta parte de la página' }),
    ).toBeVisible({ timeout: 30_000 });
    await page.unroute(/\/static\/(en|es|pt)-.*\.json/);
    await page.getByRole('button', { name: 'Intentar de nuevo' }).click();
    await expect(page.getByRole('link', { name: 'Inicio' })).toBeVisible({ timeout: 30_000 });
  });
});

test('the board ignores unknown records, operations and fields of a newer server', async ({
  board,
  network,
  page,
}) => {
  await board.anActiveEvent();
  const key = await board.aKey('Riley Ashdown');
  const news = [
    { op: 'put', kind: 'raid', record: { id: 7 } },
    { op: 'move', kind: 'category', id: 1 },
    { op: 'remove', kind: 'raid', id: 3 },
  ];
  network.rewrite((text) =>
    text.replace(
      '"changes":[{',
      `"changes":[${JSON.stringify(news).slice(1, -1)},{"of_a_raid":true,`,
    ),
  );
  await signInWithKey(page, network.url, key.key_value, BOARD_OF_CLAIMS);
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  for (const respawn_id of [3, 4]) {
    const character_name = respawn_id === 3 ? 'Riley Ashdown' : 'Sable Quinn';
    const { key_value } = respawn_id === 3 ? key : await board.aKey(character_name);
    const claim = {
      respawn_id,
      character_name,
      hour_start: 8,
      hour_end: 10,
      date: serverSaveNow().date,
    };
    const body = JSON.stringify({ access_key: key_value, claims: [claim] });
    const answer = await fetch(`${board.url}/api/claims`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(201);
    await expect(page.getByRole('article').getByText(character_name).first()).toBeVisible();
  }
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
});

test('a browser without the features of the last three years makes its calls', async ({
  board,
  page,
}) => {
  await page.addInitScript(() => {
    for (const [of, name] of [
      [AbortSignal, 'any'],
      [AbortSignal, 'timeout'],
      [Promise, 'withResolvers'],
      [Map, 'groupBy'],
    ] as const)
      Reflect.deleteProperty(of, name);
  });
  const key = await board.aKey('Sable Quinn');
  await signInWithKey(page, board.url, key.key_value);
  await expect(page.getByRole('combobox', { name: 'Spot', exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('menuitemradio', { name: 'Español' }).click();
  await expect(page.getByRole('link', { name: 'Inicio' })).toBeVisible();
});

test.describe('installed', () => {
  test.use({ serviceWorkers: 'allow' });

  test('keeps no page but the app’s: offline, the board opens as the app', async ({
    network,
    page,
    context,
  }) => {
    await page.goto(network.url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await expect(page.getByRole('link', { name: 'Home' })).toBeVisible();
    for (const path of [
      '/api/docs',
      '/metrics',
      '/healthz',
      '/api/config',
      '/favicon.svg',
      '/manifest.webmanifest',
    ])
      await page.goto(network.url + path);
    network.fault(/^\/verify/, portalPage(200));
    network.fault(/^\/login/, portalPage(502));
    for (const path of ['/verify', '/login']) {
      await page.goto(network.url + path);
      await expect(page.getByRole('heading', { name: 'Please sign in' })).toBeVisible();
    }
    network.heal();
    await context.setOffline(true);
    for (const path of ['/', '/verify', '/?view=timeline']) {
      await page.goto(network.url + path);
      await expect(page.getByRole('link', { name: 'Home' })).toBeVisible();
    }
    const kept = await page.evaluate(async () => {
      const cache = await caches.open('app-page');
      return Promise.all(
        (await cache.keys()).map(
          async (request) => (await (await cache.match(request))?.text()) ?? '',
        ),
      );
    });
    expect(kept.map((html) => buildOf(html))).toEqual([expect.any(String)]);
  });

  test('does not cache another server’s page as one of its files', async ({ network, page }) => {
    await page.goto(network.url);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await expect(page.getByRole('link', { name: 'Home' })).toBeVisible();
    network.fault(/login-page-.*\.js|verify-page-.*\.js/, portalPage(200));
    await page.goto(`${network.url}/verify`);
    await expect(
      page.getByRole('heading', { name: "This part of the page couldn't be loaded" }),
    ).toBeVisible({ timeout: 30_000 });
    network.heal();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Get your access key' })).toBeVisible();
  });
});
