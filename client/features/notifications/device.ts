import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../shared/rules/names.ts';
import { deletePushSubscription, getPushKey, postPushSubscription } from '../../api/calls.ts';
import { ApiError, endsSession } from '../../api/request.ts';
import { onReturn } from '../../lib/page-events.ts';
import type { Leaving, PushMember, StoredPush } from '../../offline/push-store.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { readStoredPush, storePush } from '../../state/stored-push.ts';

/** Texts in the page's language, for a push message that cannot be read. */
type Words = Pick<StoredPush, 'language' | 'unreadable'>;

/** Why notifications could not be turned on: permission refused, not answered, the push service unreachable, or the service worker failed. */
export class DeviceFailure extends Error {
  override readonly name = 'DeviceFailure';
  readonly reason: 'denied' | 'dismissed' | 'unreachable' | 'workerFailed';

  constructor(reason: DeviceFailure['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** A browser has one subscription for all characters and tabs: changes to it run one after another. */
function exclusively<T>(work: () => Promise<T>): Promise<T> {
  const { locks }: { locks?: LockManager | null } = navigator;
  return locks ? locks.request('push', work) : work();
}

const isSame =
  (name: string) =>
  (other: { name: string }): boolean =>
    nameKey(other.name) === nameKey(name);

/**
 * Turns on notifications for a character. It asks for permission, so it must run in a click handler.
 * @throws DeviceFailure
 * @throws ApiError
 */
export async function turnOn(
  { characterName: name, accessKey: access_key }: Profile,
  words: Words,
): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted')
    throw new DeviceFailure(permission === 'denied' ? 'denied' : 'dismissed');
  await exclusively(async () => {
    const kept = await readStoredPush();
    const others = (kept?.members ?? []).filter((member) => !isSame(name)(member));
    const { public_key } = await getPushKey(access_key);
    const subscription = await subscribed(await startedWorker(), public_key, kept);
    await postPushSubscription({ ...subscription.toJSON(), language: words.language }, access_key);
    const leaving = (kept?.leaving ?? []).filter((gone) => gone.access_key !== access_key);
    const next = {
      ...words,
      public_key,
      endpoint: subscription.endpoint,
      members: [...others, { name, access_key }],
      leaving,
    };
    await storePush(next);
    // The other characters share the new address.
    if (kept && kept.endpoint !== subscription.endpoint)
      await register(next, others, subscription, kept.endpoint);
  });
}

/**
 * Turns off notifications for a character.
 * @throws ApiError
 */
export async function turnOff({ characterName: name, accessKey }: Profile): Promise<void> {
  await exclusively(async () => {
    const kept = await readStoredPush();
    if (!kept) return;
    for (const endpoint of await addressesOf(kept))
      await deletePushSubscription(endpoint, accessKey).catch((error: unknown) => {
        if (!isAlreadyGone(error)) throw error;
      });
    await keepOnly(
      kept,
      kept.members.filter((member) => !isSame(name)(member)),
    );
  });
}

/** The server knows no such subscription, or the key is no longer valid. */
const isAlreadyGone = (error: unknown): boolean =>
  endsSession(error) || (error instanceof ApiError && error.code === 'push.notFound');

async function keepOnly(kept: StoredPush, members: readonly PushMember[]): Promise<void> {
  if (members.length === 0) await unsubscribe();
  await storePush({ ...kept, members });
}

async function unsubscribe(): Promise<void> {
  await (await currentSubscription())?.unsubscribe().catch(() => false);
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The addresses that the server may have of this browser: the service worker renews one without storing it. */
async function addressesOf({ endpoint }: StoredPush): Promise<Set<string>> {
  return new Set([endpoint, (await currentSubscription())?.endpoint ?? endpoint]);
}

/**
 * Maintains the subscription at each start and after each sign-in or sign-out: unsubscribes characters that left, and renews a
 * subscription that the browser lost, the server forgot, or that was made for another server key.
 * @param profiles the characters of this browser
 */
export async function maintainSubscription(
  profiles: readonly Profile[],
  words: Words,
): Promise<void> {
  await exclusively(async () => {
    const kept = await readStoredPush();
    if (!kept) return;
    const members: PushMember[] = [];
    const leaving: PushMember[] = [];
    for (const member of kept.members) {
      const profile = profiles.find(({ characterName }) => isSame(characterName)(member));
      if (profile) members.push({ name: profile.characterName, access_key: profile.accessKey });
      else leaving.push(member);
    }
    const addresses = [...(leaving.length > 0 ? await addressesOf(kept) : [])];
    const gone = leaving.flatMap(({ access_key }) =>
      addresses.map((endpoint) => ({ endpoint, access_key })),
    );
    const next = {
      ...kept,
      ...words,
      leaving: await unsubscribeAll([...gone, ...(kept.leaving ?? [])], members),
    };
    await keepOnly(next, members);
    if (members.length > 0) await renew({ ...next, members }, false);
  });
}

/** Unsubscribes characters that left while the server was unreachable. */
export async function unsubscribeLeft(): Promise<void> {
  await exclusively(async () => {
    const kept = await readStoredPush();
    if (kept?.leaving?.length)
      await storePush({ ...kept, leaving: await unsubscribeAll(kept.leaving, kept.members) });
  });
}

/** Their keys are stored until then, so keep only this many. */
const MAX_LEAVING = 10;

/** @returns those that could not be unsubscribed */
async function unsubscribeAll(
  all: readonly Leaving[],
  members: readonly PushMember[],
): Promise<Leaving[]> {
  const left: Leaving[] = [];
  for (const one of all) {
    // Signed in again meanwhile.
    if (members.some(({ access_key }) => access_key === one.access_key)) continue;
    await deletePushSubscription(one.endpoint, one.access_key).catch((error: unknown) => {
      if (!isAlreadyGone(error)) left.push(one);
    });
  }
  return left.slice(0, MAX_LEAVING);
}

/**
 * Replaces this browser's subscription when its push service rejects the old one.
 * @throws DeviceFailure
 * @throws ApiError
 */
export async function renewSubscription(): Promise<void> {
  await exclusively(async () => {
    const kept = await readStoredPush();
    if (kept) await renew(kept, true);
  });
}

async function renew(kept: StoredPush, isForced: boolean): Promise<void> {
  const [first] = kept.members;
  if (!first || Notification.permission !== 'granted') return;
  const { public_key } = await getPushKey(first.access_key);
  const worker = await startedWorker();
  const subscription = await subscribed(worker, public_key, isForced ? null : kept, isForced);
  const next = { ...kept, public_key, endpoint: subscription.endpoint };
  await storePush(next);
  const wereKnown = await register(next, next.members, subscription, kept.endpoint);
  // The server had dropped this address because its push service gave it up: force another.
  if (!wereKnown && !isForced && subscription.endpoint === kept.endpoint) await renew(next, true);
}

/**
 * Registers the subscription for these characters and removes their old address.
 * @returns whether the server confirmed it for all of them
 */
async function register(
  { language }: StoredPush,
  members: readonly PushMember[],
  subscription: PushSubscription,
  before: string,
): Promise<boolean> {
  const known: boolean[] = [];
  for (const { access_key } of members) {
    try {
      known.push(
        (await postPushSubscription({ ...subscription.toJSON(), language }, access_key)).was_known,
      );
    } catch (error) {
      // An invalid key must not stop the others.
      if (!endsSession(error)) throw error;
    }
    if (before !== subscription.endpoint)
      await deletePushSubscription(before, access_key).catch(() => {});
  }
  return known.every(Boolean);
}

/** @throws DeviceFailure */
async function startedWorker(): Promise<ServiceWorkerRegistration> {
  try {
    await navigator.serviceWorker.register('/service-worker.js');
  } catch (cause) {
    throw new DeviceFailure('workerFailed', cause);
  }
  return navigator.serviceWorker.ready;
}

/** @throws DeviceFailure */
async function subscribed(
  worker: ServiceWorkerRegistration,
  public_key: string,
  kept: StoredPush | null,
  isForced = false,
): Promise<PushSubscription> {
  const before = await worker.pushManager.getSubscription();
  if (before && !isForced && (keyOf(before) ?? kept?.public_key) === public_key) return before;
  await before?.unsubscribe();
  try {
    return await worker.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: public_key,
    });
  } catch (cause) {
    throw new DeviceFailure(
      cause instanceof DOMException && cause.name === 'NotAllowedError' ? 'denied' : 'unreachable',
      cause,
    );
  }
}

/** The server key of a subscription, in base64url; null if the browser doesn't say. */
function keyOf({ options }: PushSubscription): string | null {
  const key = options?.applicationServerKey;
  if (!key) return null;
  return btoa(String.fromCharCode(...new Uint8Array(key)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/**
 * Whether this browser can show notifications. `insecure`: the page came without https. `install`: an iPhone or iPad requires the
 * page on the home screen first. `denied`: permission was refused.
 */
export type BrowserState = 'ready' | 'denied' | 'install' | 'insecure' | 'unsupported';

function browserState(): BrowserState {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return isApple() && !isInstalled() ? 'install' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'denied' : 'ready';
}

/** An iPad claims to be a Mac; Macs have no touch screen. */
const isApple = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

const isInstalled = (): boolean => window.matchMedia('(display-mode: standalone)').matches;

const browserListeners = new Set<() => void>();

/** Call after a permission prompt: no event reports the answer. */
export function recheckBrowser(): void {
  for (const changed of browserListeners) changed();
}

/** Checks again when the page returns to view, since the permission may have been changed in the browser's settings. */
function onBrowserState(changed: () => void): () => void {
  browserListeners.add(changed);
  const stopChecking = onReturn(changed);
  return () => {
    browserListeners.delete(changed);
    stopChecking();
  };
}

export const useBrowserState = (): BrowserState =>
  useSyncExternalStore(onBrowserState, browserState);

/** Whether the browser will ask for permission. */
export const useWillAsk = (): boolean => useSyncExternalStore(onBrowserState, willAsk);

const willAsk = (): boolean => browserState() === 'ready' && Notification.permission === 'default';

/** Texts for the service worker, which doesn't know the page's language. */
export function useWords(): Words {
  const { t, i18n } = useTranslation();
  const language = i18n.language === 'es' || i18n.language === 'pt' ? i18n.language : 'en';
  return {
    language,
    unreadable: {
      title: t('notifications.unreadable.title'),
      body: t('notifications.unreadable.body'),
    },
  };
}
