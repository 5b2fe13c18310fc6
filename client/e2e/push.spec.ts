import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test';
import { expectNothingSerious, namesWithoutWhatIsWritten } from './axe.ts';
import { expect, expectToFit, serverSaveNow, signInWithKey, test } from './fixtures.ts';

test.use({ serviceWorkers: 'allow' });

/** A point of P-256 and a secret, as a browser makes them; no push service is contacted. */
const KEYS = {
  p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
  auth: 'tBHItJI5svbpez7KI4CCXg',
};

/** The browser's push service is far away: the page's own subscription, which the server takes for one. */
async function withoutPushService(context: BrowserContext): Promise<void> {
  await context.addInitScript((keys) => {
    // A headless browser reports "denied", but acts on the permission granted.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    // As a browser's outlives its pages.
    let isMade = localStorage.getItem('made') === 'yes';
    const endpoint = 'https://push.example/send/1';
    const keep = (next: boolean): boolean => {
      isMade = next;
      localStorage.setItem('made', next ? 'yes' : 'no');
      return true;
    };
    const toJSON = () => ({ endpoint, expirationTime: null, keys });
    const made = {
      endpoint,
      options: { applicationServerKey: null },
      toJSON,
      unsubscribe: async () => keep(false),
    };
    const getSubscription = async () => (isMade ? made : null);
    Object.assign(PushManager.prototype, {
      getSubscription,
      subscribe: async () => keep(true) && made,
    });
  }, KEYS);
}

/** Hands messages to the service worker, as a push service would. */
async function pushService(
  page: Page,
  origin: string,
): Promise<(payload: object) => Promise<void>> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  const known = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(
        ({ scopeURL, isDeleted }) => scopeURL.startsWith(origin) && !isDeleted,
      );
      if (ours) resolve(ours.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await known;
  return async (payload) => {
    await cdp.send('ServiceWorker.deliverPushMessage', {
      origin,
      registrationId,
      data: JSON.stringify(payload),
    });
  };
}

/** The service worker that receives the messages. The smallest Chromium shows no notifications: they are recorded instead. */
async function takingMessages(context: BrowserContext): Promise<Worker> {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('no service worker');
  await worker.evaluate(async () => {
    const registration: ServiceWorkerRegistration = Reflect.get(self, 'registration');
    const canShow = await registration.showNotification('Try', { tag: 'try' }).then(
      () => true,
      () => false,
    );
    for (const notice of canShow ? await registration.getNotifications({ tag: 'try' }) : [])
      notice.close();
    if (canShow) return;
    let notices: { title: string; tag: string; close: () => void }[] = [];
    const closed = (tag: string) => () => {
      notices = notices.filter((notice) => notice.tag !== tag);
    };
    Object.assign(registration, {
      getNotifications: async ({ tag }: GetNotificationOptions = {}) =>
        notices.filter((notice) => !tag || notice.tag === tag),
      showNotification: async (
        title: string,
        { tag = '', ...options }: NotificationOptions = {},
      ) => {
        notices = [
          ...notices.filter((notice) => notice.tag !== tag),
          { title, tag, ...options, close: closed(tag) },
        ];
      },
    });
  });
  return worker;
}

/** As if the permission was withdrawn meanwhile: the worker must still handle every message. */
async function refusingToShow(context: BrowserContext, push: () => Promise<void>): Promise<void> {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('no service worker');
  await worker.evaluate(() => {
    const showNotification = (title: string): Promise<never> => {
      Object.assign(self, { refused: title });
      return Promise.reject(
        new TypeError('No notification permission has been granted for this origin.'),
      );
    };
    Object.assign(Reflect.get(self, 'registration'), { showNotification });
  });
  await push();
  await expect
    .poll(() => worker.evaluate(() => Reflect.get(self, 'refused')))
    .toBe('Nobody sees it');
  await worker.evaluate(
    () => void Reflect.deleteProperty(Reflect.get(self, 'registration'), 'showNotification'),
  );
}

const shownNotices = (
  worker: Worker,
): Promise<{ title: string; body: string; tag: string; silent: boolean | null; url: string }[]> =>
  worker.evaluate(async () => {
    const registration: ServiceWorkerRegistration = Reflect.get(self, 'registration');
    const notices = await registration.getNotifications();
    return notices.map(({ title, body, tag, silent, data }) => ({
      title,
      body,
      tag,
      silent,
      url: data.url,
    }));
  });

const { date: today } = serverSaveNow();

test('a member turns notifications on, a push is shown, and a press on it leads the open page to the offer and the claim', async ({
  board,
  page,
  context,
}) => {
  const { key_value } = await board.aKey('Riley Ashdown');
  await board.aKey('Sable Quinn');
  const [spot] = await board.asAdmin<{ id: number; name: string }[]>('GET', '/admin/respawns');
  await board.asAdmin('PUT', '/admin/config', { waits_enabled: 1 });
  const hours = { respawn_id: spot?.id, date: today, hour_start: 12, hour_end: 16 };
  const [claim] = await board.asAdmin<{ id: number }[]>('POST', '/claims', {
    admin_submission: true,
    claims: [{ ...hours, character_name: 'Sable Quinn' }],
  });
  const wait = await board.asAdmin<{ id: number }>('POST', '/waits', {
    ...hours,
    character_name: 'Riley Ashdown',
    member_type: 'member',
  });
  await context.grantPermissions(['notifications'], { origin: board.url });
  await withoutPushService(context);
  await signInWithKey(page, board.url, key_value);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Riley Ashdown/ })
    .click();
  await page.getByRole('menuitem', { name: 'Notifications' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();

  await page.getByRole('button', { name: 'Turn on: Riley Ashdown on this device' }).press('Enter');
  await expect(page.getByText('This device gets notifications for Riley Ashdown')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send test: Riley Ashdown' })).toBeFocused();
  await page.getByRole('switch', { name: 'Quiet hours' }).press('Space');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expectNothingSerious(page, 'notifications that are on');
  expect(await namesWithoutWhatIsWritten(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);

  const push = await pushService(page, board.url);
  await refusingToShow(context, () =>
    push({ kind: 'test', title: 'Nobody sees it', tag: 'test', url: '/notifications' }),
  );
  const worker = await takingMessages(context);
  const offer = {
    kind: 'hold_offered',
    title: `Held for you: ${spot?.name}`,
    body: 'Take it.',
    tag: `hold-${wait.id}`,
    language: 'en',
  };
  await push({ ...offer, url: `/mine?wait=${wait.id}` });
  // The page in view says it itself.
  const notices = {
    title: offer.title,
    body: offer.body,
    tag: offer.tag,
    silent: true,
    url: `/mine?wait=${wait.id}`,
  };
  await expect.poll(() => shownNotices(worker)).toEqual([notices]);

  await pressNotice(worker, offer.tag);
  await expect(page).toHaveURL(`${board.url}/mine?wait=${wait.id}`);
  await expect(
    page.getByRole('region', { name: 'Waitlist' }).getByText(spot?.name ?? ''),
  ).toBeVisible();
  await expect.poll(() => shownNotices(worker)).toEqual([]);

  // Of a newer version, about a claim.
  await push({
    kind: 'from_tomorrow',
    title: 'Look',
    tag: 'claim-1',
    url: `/?date=${today}&claim=${claim?.id}`,
  });
  await expect
    .poll(async () => (await shownNotices(worker)).map(({ title }) => title))
    .toEqual(['Look']);
  await pressNotice(worker, 'claim-1');
  await expect(page).toHaveURL(new RegExp(`claim=${claim?.id}`));
  await expect(page.locator(`[data-spot="${spot?.id}"]`)).toBeInViewport();

  // The browser has made another address in the place of the old one, while no page looks after it.
  const moved = 'https://push.example/send/moved';
  await worker.evaluate(
    async ([endpoint, keys]) => {
      const newSubscription = {
        endpoint,
        toJSON: () => ({ endpoint, expirationTime: null, keys }),
      };
      const waits: Promise<unknown>[] = [];
      const waitUntil = (work: Promise<unknown>): void => void waits.push(work);
      self.dispatchEvent(
        Object.assign(new Event('pushsubscriptionchange'), { newSubscription, waitUntil }),
      );
      if (waits.length === 0) throw new Error('nobody heard it');
      await Promise.all(waits);
    },
    [moved, KEYS] as const,
  );
  const isTold = (endpoint: string) =>
    page.evaluate(
      async ([at, key]) => {
        const headers = { 'Content-Type': 'application/json', 'X-Access-Key': key };
        return (
          await fetch('/api/push/test', {
            method: 'POST',
            headers,
            body: JSON.stringify({ endpoint: at }),
          })
        ).status;
      },
      [endpoint, key_value] as const,
    );
  expect([await isTold(moved), await isTold('https://push.example/send/1')]).toEqual([200, 404]);

  await page.goto(`${board.url}/notifications`);
  await expect(page.getByText('This device gets notifications for Riley Ashdown')).toBeVisible();
  await expect.poll(() => storedNames(page)).toEqual(['Riley Ashdown']);

  // Signing out deletes the stored key.
  const left = page.waitForRequest(
    (request) => request.method() === 'DELETE' && request.url().endsWith('/push/subscriptions'),
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await page
    .getByRole('banner')
    .getByRole('button', { name: /Riley Ashdown/ })
    .click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  expect((await (await left).response())?.status()).toBe(200);
  await expect.poll(() => storedNames(page)).toEqual([]);
});

/** Of whom this browser's storage has the access keys. */
const storedNames = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const open = indexedDB.open('push');
        open.onerror = () => reject(open.error);
        open.onsuccess = () => {
          const records = open.result.transaction('kept').objectStore('kept').getAll();
          records.onerror = () => reject(records.error);
          records.onsuccess = () => {
            open.result.close();
            resolve(records.result.flatMap(({ members }) => members).map(({ name }) => name));
          };
        };
      }),
  );

/** As the system does at a press: no browser without a screen draws a notice that could be pressed. */
async function pressNotice(worker: Worker, tag: string): Promise<void> {
  await worker.evaluate(async (name) => {
    const registration: ServiceWorkerRegistration = Reflect.get(self, 'registration');
    const [notification] = await registration.getNotifications({ tag: name });
    if (!notification) throw new Error(`no notice ${name}`);
    self.dispatchEvent(
      Object.assign(new Event('notificationclick'), { notification, waitUntil: () => {} }),
    );
  }, tag);
}
