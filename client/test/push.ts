import { vi } from 'vitest';
import type { DirectMessageTest, DiscordLinkState } from '../../shared/schemas/discord.ts';
import type { PushPreferences } from '../../shared/schemas/push.ts';
import { setPushFlag } from '../state/push-flag.ts';
import { useStoredPush } from '../state/stored-push.ts';

/** The server's public key, as it sends it; a browser keeps its bytes. */
export const SERVER_KEY = 'BAECAw';
const bytesOf = (key: string): ArrayBuffer =>
  Uint8Array.from(atob(key), (sign) => sign.charCodeAt(0)).buffer;

/** A subscription as the browser returns it. */
export function aPushSubscription({
  endpoint,
  key = SERVER_KEY,
}: {
  endpoint: string;
  key?: string;
}): PushSubscription {
  const keys = { p256dh: 'P', auth: 'A' };
  return {
    endpoint,
    expirationTime: null,
    options: { applicationServerKey: bytesOf(key), userVisibleOnly: true },
    getKey: () => null,
    toJSON: () => ({ endpoint, expirationTime: null, keys }),
    unsubscribe: async () => true,
  };
}

/** A browser that supports notifications, the person's answer to its question, and the mocked server. */
export interface PushWorld {
  permission: NotificationPermission;
  /** The person's answer to the browser's question. */
  says: NotificationPermission;
  timesAsked: number;
  subscription: PushSubscription | null;
  /** Why the browser cannot subscribe. */
  refuses: DOMException | null;
  /** By key and endpoint: whom the server would tell. */
  subscribed: Set<string>;
  serverKey: string;
  preferences: Map<string, PushPreferences>;
  /** Discord users by key. */
  links: Map<string, NonNullable<DiscordLinkState['link']>>;
  direct: DirectMessageTest['outcome'];
  calls: string[];
  /** The server's refusals, by call. */
  failures: Map<string, { status: number; code: string }>;
  /** The server's answers that are held back, by call. */
  answersAfter: Map<string, Promise<void>>;
  taken: boolean;
  /** The notifications it shows, by tag. */
  notices: Set<string>;
  /** Listeners to messages of the service worker. */
  messages: EventTarget;
}

export const ALL_ON: PushPreferences = {
  hold_offered: 1,
  hunt_begins: 1,
  confirm_now: 1,
  claim_changed: 1,
  direct_hold_offered: 1,
  direct_hunt_begins: 0,
  direct_confirm_now: 1,
  direct_claim_changed: 0,
  quiet_from: null,
  quiet_until: null,
  time_zone: 'America/Los_Angeles',
};

export function startPushWorld(): PushWorld {
  const world: PushWorld = {
    permission: 'default',
    says: 'granted',
    timesAsked: 0,
    subscription: null,
    refuses: null,
    subscribed: new Set(),
    serverKey: SERVER_KEY,
    preferences: new Map(),
    links: new Map(),
    direct: 'sent',
    calls: [],
    failures: new Map(),
    answersAfter: new Map(),
    taken: true,
    notices: new Set(),
    messages: new EventTarget(),
  };
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    get permission() {
      return world.permission;
    },
    requestPermission: async () => {
      if (world.permission === 'default') world.timesAsked += 1;
      if (world.permission === 'default') world.permission = world.says;
      return world.permission;
    },
  });
  vi.stubGlobal('caches', fakeCaches());
  vi.stubGlobal('indexedDB', fakeIndexedDB());
  const registration = {
    pushManager: fakePushManager(world),
    getNotifications: async () =>
      [...world.notices].map((tag) => ({ tag, close: () => world.notices.delete(tag) })),
  };
  const serviceWorker = Object.assign(world.messages, {
    register: async () => registration,
    ready: Promise.resolve(registration),
    getRegistration: async () => registration,
  });
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
  vi.stubGlobal('fetch', fakeServer(world));
  return world;
}

export function endPushWorld(): void {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  vi.unstubAllGlobals();
  setPushFlag(false);
  useStoredPush.setState({ kept: null });
}

let subscriptions = 0;

function fakePushManager(world: PushWorld) {
  return {
    getSubscription: async () => world.subscription,
    subscribe: async ({ applicationServerKey: key }: { applicationServerKey: string }) => {
      if (world.refuses) throw world.refuses;
      const made = aPushSubscription({ endpoint: `https://push.example/${++subscriptions}`, key });
      world.subscription = Object.assign(made, {
        unsubscribe: async () => {
          if (world.subscription === made) world.subscription = null;
          return true;
        },
      });
      return made;
    },
  };
}

function fakeCaches() {
  const kept = new Map<string, string>();
  const match = async (path: string) => (kept.has(path) ? new Response(kept.get(path)) : undefined);
  return {
    match,
    open: async () => ({
      put: async (path: string, response: Response) => void kept.set(path, await response.text()),
    }),
    delete: async () => kept.clear(),
  };
}

/** As much of IndexedDB as offline/push-store.ts uses: one store, with one request in each transaction. */
function fakeIndexedDB() {
  const records = new Map<string, unknown>();
  const store = {
    get: (key: string) => ({ result: structuredClone(records.get(key)) }),
    put: (value: unknown, key: string) => ({
      result: records.set(key, structuredClone(value)) && key,
    }),
    delete: (key: string) => ({ result: void records.delete(key) }),
  };
  const transaction = () => {
    const made = { objectStore: () => store, oncomplete: () => {} };
    queueMicrotask(() => made.oncomplete());
    return made;
  };
  const open = () => {
    const request = { result: { transaction, close: () => {} }, onsuccess: () => {} };
    queueMicrotask(() => request.onsuccess());
    return request;
  };
  return { open };
}

function fakeServer(world: PushWorld) {
  const ok = (data: unknown): Response => Response.json({ success: true, data });
  return async (
    path: string,
    { method = 'GET', headers, body }: RequestInit = {},
  ): Promise<Response> => {
    const key = new Headers(headers).get('X-Access-Key') ?? '';
    const call = `${method} ${path.replace('/api', '').replace(/\?.*/, '')}`;
    const sent = typeof body === 'string' ? JSON.parse(body) : {};
    world.calls.push(`${call} ${key}`);
    await world.answersAfter.get(call);
    const failure = world.failures.get(`${call} ${key}`) ?? world.failures.get(call);
    if (failure) {
      if (failure.status === 0) throw new TypeError('no network');
      return Response.json(
        { error: failure.code, code: failure.code, params: {} },
        { status: failure.status },
      );
    }
    const device = `${key} ${sent.endpoint}`;
    switch (call) {
      case 'GET /push/key':
        return ok({ public_key: world.serverKey });
      case 'POST /push/subscriptions': {
        const was_known = world.subscribed.has(device);
        world.subscribed.add(device);
        return ok({ was_known });
      }
      case 'DELETE /push/subscriptions':
        if (world.subscribed.delete(device)) return ok(undefined);
        return Response.json({ error: 'No', code: 'push.notFound', params: {} }, { status: 404 });
      case 'POST /push/test':
        return ok(world.taken ? { sent: 1, failed: 0 } : { sent: 0, failed: 1 });
      case 'GET /push/preferences':
        return ok(world.preferences.get(key) ?? ALL_ON);
      case 'GET /discord/links':
        return ok({ is_set_up: true, link: world.links.get(key) ?? null });
      case 'POST /discord/test':
        return ok({ outcome: world.direct });
      case 'PUT /push/preferences': {
        const next = { ...(world.preferences.get(key) ?? ALL_ON), ...sent };
        world.preferences.set(key, next);
        return ok(next);
      }
      default:
        throw new Error(`Nothing answers ${call}`);
    }
  };
}
