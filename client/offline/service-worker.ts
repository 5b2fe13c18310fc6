/// <reference lib="webworker" />
import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst, StaleWhileRevalidate } from 'workbox-strategies';
import { isAppPath, ourFile, ourPage } from './app-files.ts';
import { addressOf, noticeOf, openNotice, renewSubscription } from './notifications.ts';
import { readPush } from './push-store.ts';

declare const self: ServiceWorkerGlobalScope;

/** A server that has not answered for this long, in seconds, is taken for out of reach. */
const PATIENCE_SECONDS = 4;
/** Some releases' worth of the client's files, and every spot's picture. */
const FILES_KEPT = 200;
const PICTURES_KEPT = 500;

/** Workbox types the plugin's parts as possibly undefined, which its own strategies do not take. */
function keepingOnly(maxEntries: number) {
  const { cacheDidUpdate, cachedResponseWillBeUsed } = new ExpirationPlugin({ maxEntries });
  return {
    ...(cacheDidUpdate && { cacheDidUpdate }),
    ...(cachedResponseWillBeUsed && { cachedResponseWillBeUsed }),
  };
}

/**
 * Lets the installed app open offline, to say so. Claims are never cached: a later user of the device must not read them, and an old board
 * misleads. So nothing under /api is cached, nor a foreign page at one of our addresses.
 */
registerRoute(
  ({ request, url, sameOrigin }) =>
    sameOrigin && request.mode === 'navigate' && isAppPath(url.pathname),
  new NetworkFirst({
    cacheName: 'app-page',
    networkTimeoutSeconds: PATIENCE_SECONDS,
    // Every address of the client is answered with the same page.
    plugins: [
      {
        cacheKeyWillBeUsed: async () => '/',
        cacheWillUpdate: async ({ response }) => ourPage(response),
      },
    ],
  }),
);
// Named by a hash of their content.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/static/'),
  new CacheFirst({
    cacheName: 'app-files',
    plugins: [
      { cacheWillUpdate: async ({ response }) => ourFile(response) },
      keepingOnly(FILES_KEPT),
    ],
  }),
);
registerRoute(
  ({ request, url, sameOrigin }) =>
    sameOrigin &&
    request.mode !== 'navigate' &&
    (url.pathname.startsWith('/assets/respawns/') ||
      /^\/(early\.js|favicon\.svg)$/.test(url.pathname)),
  new StaleWhileRevalidate({
    cacheName: 'app-pictures',
    plugins: [
      { cacheWillUpdate: async ({ response }) => ourFile(response) },
      keepingOnly(PICTURES_KEPT),
    ],
  }),
);

// It holds no state that an open page could depend on, so a new one takes over at once.
self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

const openPages = (): Promise<readonly WindowClient[]> =>
  self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** A page that is still starting doesn't answer. */
const ANSWERS_WITHIN_MS = 1_000;

/**
 * Asks a page to navigate itself.
 * @returns whether it confirmed
 */
function ask(page: WindowClient, address: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ANSWERS_WITHIN_MS);
    port1.onmessage = () => {
      clearTimeout(timer);
      resolve(true);
    };
    page.postMessage({ kind: 'open', address }, [port2]);
  });
}

self.addEventListener('push', (event) => {
  const show = async (): Promise<void> => {
    const [kept, pages] = await Promise.all([readPush().catch(() => null), openPages()]);
    const isWatched = pages.some(
      ({ visibilityState, url }) =>
        visibilityState === 'visible' && isAppPath(new URL(url).pathname),
    );
    const { title, options } = noticeOf(event.data?.text() ?? null, kept, isWatched);
    await self.registration.showNotification(title, options);
  };
  event.waitUntil(show());
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = addressOf(event.notification.data, self.location.origin);
  const open = async (): Promise<void> =>
    openNotice(address, {
      all: await openPages(),
      isApp: isAppPath,
      ask,
      open: (at) => self.clients.openWindow(at),
    });
  event.waitUntil(open());
});

/** Browsers differ in how they report it, and some don't: the next page that opens checks, too. */
interface SubscriptionChange extends ExtendableEvent {
  newSubscription?: PushSubscription | null;
}

self.addEventListener('pushsubscriptionchange', (event: SubscriptionChange) => {
  const renew = async (): Promise<void> => {
    const kept = await readPush();
    if (!kept) return;
    const subscribe = (applicationServerKey: string): Promise<PushSubscription> =>
      self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    await renewSubscription({
      kept,
      made: event.newSubscription ?? null,
      subscribe,
      fetch: (...call) => fetch(...call),
    });
  };
  event.waitUntil(renew());
});
