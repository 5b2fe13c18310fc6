import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { startWebFaultProxy, type WebFaultProxy } from '../../server/dev/test/web-fault-proxy.ts';
import { type ServerSaveClock, serverSaveTime } from '../../shared/rules/server-save.ts';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import type { Event } from '../../shared/schemas/event.ts';
import { launchOptionsFor } from './browsers.ts';
import { type Running, type Servers, type Settings, startAlone, startServers } from './servers.ts';

export { expect };

const ADMIN_PASSWORD = 'hunting-at-night';
/** The tag of a test whose server is a separate process that it can kill: starting one takes a second or two. */
export const KILLS = '@kills';
/** The tag of a test about a large board: its server has the whole catalogue, as those of `KILLS` do. Others have a tenth of it. */
export const ALL_SPOTS = '@all-spots';
/** The tag of a test of a main flow, which runs in Firefox, too. */
export const EVERYWHERE = '@everywhere';
/** The tag of a test that `npm run test:all` runs, and `npm test` does not. */
export const ALL = '@all';
/** The tag of a test that only `npm run prove -- tests` runs: it is too long for `npm run test:all`. */
export const LONG = '@long';
/** A test's details with this tag, or with none. */
export const tagged = (tag: string): { tag: string[] } => ({ tag: tag ? [tag] : [] });
/** Beside `EVERYWHERE`: Firefox runs it 390 px wide, not 1440. */
export const PHONE = '@phone';

export interface Claimboard {
  url: string;
  /** Calls the API as the admin. @throws when it is refused */
  asAdmin: <T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ) => Promise<T>;
  aKey: (characterName: string, memberType?: string) => Promise<AccessKey>;
  anActiveEvent: (fields?: Partial<Event>) => Promise<Event>;
  /** Kills the server's process, and starts it again on the same port and data. */
  kill: () => Promise<void>;
  restart: () => Promise<void>;
}

/**
 * The server save was within half an hour, whenever the tests run: SS+0 is running, no hour of today is over, and none ends before the
 * test does. In the hour's second half that is one of the zones whose hours turn then, of which it is the same date there as by UTC.
 */
function saveOfThisHour(): ServerSaveClock {
  const now = new Date();
  const secondHalf = now.getUTCHours() < 18 ? 'Asia/Kolkata' : 'Pacific/Marquesas';
  const ss_time_zone = now.getUTCMinutes() < 30 ? 'UTC' : secondHalf;
  return { ss_time_zone, ss_hour: serverSaveTime(now, { ss_time_zone, ss_hour: 0 }).hour };
}

export function settingsOf(env: Settings): Settings {
  const { ss_time_zone, ss_hour } = saveOfThisHour();
  return {
    HOST: '127.0.0.1',
    ADMIN_PASSWORD,
    LOG_LEVEL: 'error',
    BACKUP_HOURS: '0',
    SS_TIME_ZONE: ss_time_zone,
    SS_HOUR: String(ss_hour),
    ...env,
  };
}

const POLICY_BROKEN = /content security policy directive/i;

interface Fixtures {
  board: Claimboard;
  network: WebFaultProxy;
  env: Settings;
  policyBroken: string[];
  others: undefined;
}

/** One server per test, on an empty data folder; the pages are opened at its address. */
export const test = base.extend<Fixtures, { servers: Servers; pictures: boolean }>({
  /** For tests about pictures, and about what a page may load: `test.use({ pictures: true })`. */
  pictures: [false, { option: true, scope: 'worker' }],
  launchOptions: [
    async ({ browserName, pictures }, use) => use(launchOptionsFor(browserName, pictures)),
    { scope: 'worker' },
  ],
  /** In Firefox a test runs once: 390 px wide where its tag says so. Elsewhere it sets its own width. */
  viewport: async ({ browserName, viewport }, use, { tags }) =>
    use(browserName === 'firefox' && tags.includes(PHONE) ? { width: 390, height: 844 } : viewport),
  /** Violations of the Content-Security-Policy on any page of the test, in the browser's words: they fail the test. */
  policyBroken: [
    async ({ browser, context }, use) => {
      const broken: string[] = [];
      const watch = (each: BrowserContext): void => {
        each.on('console', (message) => {
          if (POLICY_BROKEN.test(message.text()))
            broken.push(`${message.page()?.url()}: ${message.text()}`);
        });
      };
      watch(context);
      browser.on('context', watch);
      await use(broken);
      browser.off('context', watch);
      expect(broken).toEqual([]);
    },
    { auto: true },
  ],
  /** Closes other persons' browsers with the test: a page left open would poll a stopped server until the run has ended. */
  others: [
    async ({ browser, context }, use) => {
      const before = new Set(browser.contexts());
      await use(undefined);
      await Promise.all(
        browser
          .contexts()
          .map((each) => (before.has(each) || each === context ? undefined : each.close())),
      );
    },
    { auto: true },
  ],
  /** Settings of the server beside the usual ones. */
  env: [{}, { option: true }],
  servers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const servers = startServers();
      await use(servers);
      await servers.close();
    },
    { scope: 'worker' },
  ],
  board: async ({ env, servers }, use, { tags }) => {
    const settings = settingsOf(env);
    const server: Running = await (tags.includes(KILLS)
      ? startAlone(settings)
      : servers.start(settings, tags.includes(ALL_SPOTS) ? 'all' : 'some'));
    const url = `http://127.0.0.1:${server.port}`;
    const asAdmin: Claimboard['asAdmin'] = async (method, at, body) => {
      const headers = {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${server.token}`,
      };
      const answer = await fetch(`${url}/api${at}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const json = await answer.json();
      if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${json.error}`);
      return json.data;
    };
    await use({
      url,
      asAdmin,
      aKey: (characterName, memberType = 'member') =>
        asAdmin('POST', '/admin/access-keys', { characterName, memberType }),
      anActiveEvent: async (fields = {}) => {
        const { start_date, end_date } = eventAroundToday();
        const period = { start_time: `${start_date}T10:00`, end_time: `${end_date}T10:00` };
        const event = await asAdmin<Event>('POST', '/events', {
          name: 'Double week',
          ...period,
          ...fields,
        });
        return asAdmin('POST', `/events/${event.id}/activate`);
      },
      kill: server.kill,
      restart: server.restart,
    });
    await server.stop();
  },
  /** A proxy with faults, between the server and a page that is opened at the proxy's address. */
  network: async ({ board }, use) => {
    const network = await startWebFaultProxy(board.url);
    await use(network);
    await network.close();
  },
});

const DAY_MS = 86_400_000;
const isoDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** From two days ago to eleven days from now: contains today at any hour. */
export function eventAroundToday(): { start_date: string; end_date: string } {
  return {
    start_date: isoDate(Date.now() - 2 * DAY_MS),
    end_date: isoDate(Date.now() + 11 * DAY_MS),
  };
}

/** The server-save date and hour by the clock of the tests' servers. */
export const serverSaveNow = (): { date: string; hour: number } =>
  serverSaveTime(new Date(), saveOfThisHour());

/** Another person's browser: its own cookies and storage. */
export async function newPerson(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  return context.newPage();
}

/** Signs a member in by the login page, as a person does. */
export async function loginWithKey(page: Page, url: string, key: string): Promise<void> {
  await page.goto(`${url}/login?type=access-key`);
  await page.getByLabel('Access key', { exact: true }).fill(key);
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/submit-claims/);
}

/** @param lands where the page leads afterwards: a page that asked for the sign-in is opened again */
export async function loginAsAdmin(
  page: Page,
  url: string,
  lands = /admin\/dashboard/,
): Promise<void> {
  await page.goto(`${url}/admin/login`);
  await submitAdminLogin(page, lands);
}

export async function submitAdminLogin(page: Page, lands = /admin\/dashboard/): Promise<void> {
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(ADMIN_PASSWORD);
  await page.getByRole('main').getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(lands);
}

/**
 * Signs a member in without the login page, which has tests of its own, and opens `path`: no page is loaded that is not looked at. Who
 * looks at several goes to the others with `goInApp`.
 */
export async function signInWithKey(
  page: Page,
  url: string,
  key: string,
  path = '/submit-claims',
): Promise<void> {
  const answer = await page.request.post(`${url}/api/validate-access-key`, {
    data: { accessKey: key },
  });
  const { data } = await answer.json();
  const profile = { ...data, accessKey: key, isVerified: true, createdAt: '' };
  const name = `access_key_${profile.characterName.toLowerCase().replace(/[^a-z0-9]/g, '_')}`;
  await page
    .context()
    .addCookies([{ name, value: encodeURIComponent(JSON.stringify(profile)), url }]);
  await page.goto(url + path);
}

/** Signs the admin in without the login page, and opens `path`. */
export async function signInAsAdmin(
  page: Page,
  url: string,
  path = '/admin/dashboard',
): Promise<void> {
  const answer = await page.request.post(`${url}/api/login`, {
    data: { username: 'admin', password: ADMIN_PASSWORD },
  });
  const { data } = await answer.json();
  // Before the first page of the app alone: whether it keeps the token is the app's.
  await page.addInitScript(
    ([origin, token]) => {
      const once = `signed in with ${token}`;
      if (location.origin !== origin || sessionStorage.getItem(once)) return;
      sessionStorage.setItem(once, 'yes');
      localStorage.setItem('adminToken', token);
    },
    [new URL(url).origin, data.token] as const,
  );
  await page.goto(url + path);
}

/** The board for who looks at no free spot, of which there are hundreds: without them it is loaded in half the time. */
export const BOARD_OF_CLAIMS = '/?show=claimed';

/** An address that has no page. */
const NOWHERE = '/nowhere';

/**
 * Goes to an address of the app as its links do: loading a page costs a test more than all that it does there. For who merely wants to be
 * there, and has opened some page of the app already. It goes by way of an address without a page, so that nothing of the page before,
 * which may be the same at another address, is taken for the new one.
 */
export async function goInApp(page: Page, path: string): Promise<void> {
  await page.evaluate(
    async ([nowhere, to]) => {
      window.scrollTo({ top: 0, behavior: 'instant' });
      const pageElement = (): Element | null | undefined =>
        document.querySelector('main')?.lastElementChild;
      const until = (condition: () => boolean): Promise<void> =>
        new Promise((resolve) => {
          const look = (): void => {
            if (!condition()) return;
            watching.disconnect();
            resolve();
          };
          const watching = new MutationObserver(look);
          watching.observe(document, { childList: true, subtree: true });
          look();
        });
      // The app ignores address changes until it is mounted.
      await until(() => Boolean(pageElement()));
      for (const address of new Set([nowhere, to])) {
        if (location.pathname === address) continue;
        const before = pageElement();
        history.pushState(null, '', address);
        dispatchEvent(new PopStateEvent('popstate', { state: null }));
        // What has still been arriving where one was may come after all: the page that says there is none has a link to the board.
        const isThere = (): boolean =>
          address !== nowhere || Boolean(pageElement()?.querySelector('a[href="/"]'));
        await until(() => Boolean(pageElement()) && pageElement() !== before && isThere());
      }
    },
    [NOWHERE, path] as const,
  );
}

/** Nothing makes the page wider than the screen. */
export async function expectToFit(page: Page, where = page.url()): Promise<void> {
  expect(
    await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
    where,
  ).toBe(0);
}

/** Chooses one of a member's actions on the dashboard. */
export async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem').getByText(action, { exact: true }).click();
}

/** Presses Escape until `open` is closed: a dialog listens for keys some frames after it is shown. */
export async function closeByEscape(page: Page, open: Locator): Promise<void> {
  await expect(async () => {
    if (await open.isVisible()) await page.keyboard.press('Escape');
    await expect(open).toBeHidden({ timeout: 2_000 });
  }).toPass();
}
