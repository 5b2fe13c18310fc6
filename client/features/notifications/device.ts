import { nameKey } from '../../../shared/rules/names.ts';
import { deletePushSubscription, getPushKey, postPushSubscription } from '../../api/calls.ts';
import { ApiError, endsSession } from '../../api/request.ts';
import type { KeptPush, Leaving, PushMember } from '../../offline/push-store.ts';
import { keepPush, readKeptPush } from '../../state/push-kept.ts';
import type { Profile } from '../../state/saved-sessions.ts';

/** What the page says in its language where nothing else can be said. */
export type Words = Pick<KeptPush, 'language' | 'unreadable'>;

/** Why a browser is not told: it was not allowed, not decided, its push service does not answer, or the page's helper does not start. */
export class DeviceFailure extends Error {
  override readonly name = 'DeviceFailure';
  readonly reason: 'denied' | 'dismissed' | 'unreachable' | 'worker';

  constructor(reason: DeviceFailure['reason'], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** A browser has one subscription, whoever is told in it: work on it goes one after another, in whatever tab. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const { locks }: { locks?: LockManager | null } = navigator;
  return locks ? locks.request('push', work) : work();
}

const isSame =
  (name: string) =>
  (other: { name: string }): boolean =>
    nameKey(other.name) === nameKey(name);

/**
 * Has this browser told of what becomes of a character's hunts. Asks for the permission, so it belongs to a press.
 * @throws DeviceFailure
 * @throws ApiError
 */
export async function turnOn({ characterName: name, accessKey: access_key }: Profile, words: Words): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') throw new DeviceFailure(permission === 'denied' ? 'denied' : 'dismissed');
  await alone(async () => {
    const kept = await readKeptPush();
    const others = (kept?.members ?? []).filter((member) => !isSame(name)(member));
    const { public_key } = await getPushKey(access_key);
    const subscription = await subscribed(await startedWorker(), public_key, kept);
    await postPushSubscription({ ...subscription.toJSON(), language: words.language }, access_key);
    const leaving = (kept?.leaving ?? []).filter((gone) => gone.access_key !== access_key);
    const next = { ...words, public_key, endpoint: subscription.endpoint, members: [...others, { name, access_key }], leaving };
    await keepPush(next);
    // Another address than before is the others', too.
    if (kept && kept.endpoint !== subscription.endpoint) await tell(next, others, subscription, kept.endpoint);
  });
}

/**
 * This browser is told nothing of a character any more.
 * @throws ApiError
 */
export async function turnOff({ characterName: name, accessKey }: Profile): Promise<void> {
  await alone(async () => {
    const kept = await readKeptPush();
    if (!kept) return;
    await deletePushSubscription(kept.endpoint, accessKey).catch((error: unknown) => {
      if (!isGoneAnyway(error)) throw error;
    });
    await keepOnly(
      kept,
      kept.members.filter((member) => !isSame(name)(member)),
    );
  });
}

/** The server knows no such browser, or sends nothing by this key. */
const isGoneAnyway = (error: unknown): boolean => endsSession(error) || (error instanceof ApiError && error.code === 'push.notFound');

async function keepOnly(kept: KeptPush, members: readonly PushMember[]): Promise<void> {
  if (members.length === 0) await unsubscribe();
  await keepPush({ ...kept, members });
}

async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe().catch(() => false);
}

/**
 * Looks after what is kept here, at each start and whenever somebody signs in or out: who has gone is told nothing any more, and
 * a subscription that the browser has lost, the server has forgotten or whose server has another key is made again.
 * @param profiles the characters of this browser
 */
export async function lookAfter(profiles: readonly Profile[], words: Words): Promise<void> {
  await alone(async () => {
    const kept = await readKeptPush();
    if (!kept) return;
    const members: PushMember[] = [];
    const leaving: PushMember[] = [];
    for (const member of kept.members) {
      const profile = profiles.find(({ characterName }) => isSame(characterName)(member));
      if (profile) members.push({ name: profile.characterName, access_key: profile.accessKey });
      else leaving.push(member);
    }
    const gone = leaving.map(({ access_key }) => ({ endpoint: kept.endpoint, access_key }));
    const next = { ...kept, ...words, leaving: await stillLeaving([...gone, ...(kept.leaving ?? [])], members) };
    await keepOnly(next, members);
    if (members.length > 0) await renew({ ...next, members }, false);
  });
}

/** Tells the server who has gone, where it could not be told when they went. */
export async function takeLeave(): Promise<void> {
  await alone(async () => {
    const kept = await readKeptPush();
    if (kept?.leaving?.length) await keepPush({ ...kept, leaving: await stillLeaving(kept.leaving, kept.members) });
  });
}

/** Their keys stay here until then, so of no more than these. */
const MOST_LEAVING = 10;

/** @returns those of whom the server could not be told */
async function stillLeaving(all: readonly Leaving[], members: readonly PushMember[]): Promise<Leaving[]> {
  const left: Leaving[] = [];
  for (const one of all) {
    // Back again.
    if (members.some(({ access_key }) => access_key === one.access_key)) continue;
    await deletePushSubscription(one.endpoint, one.access_key).catch((error: unknown) => {
      if (!isGoneAnyway(error)) left.push(one);
    });
  }
  return left.slice(0, MOST_LEAVING);
}

/**
 * Makes this browser's subscription anew, where its push service takes nothing for the old one.
 * @throws DeviceFailure
 * @throws ApiError
 */
export async function setUpAgain(): Promise<void> {
  await alone(async () => {
    const kept = await readKeptPush();
    if (kept) await renew(kept, true);
  });
}

async function renew(kept: KeptPush, isAnew: boolean): Promise<void> {
  const [first] = kept.members;
  if (!first || Notification.permission !== 'granted') return;
  const { public_key } = await getPushKey(first.access_key);
  const worker = await startedWorker();
  const subscription = await subscribed(worker, public_key, isAnew ? null : kept, isAnew);
  const next = { ...kept, public_key, endpoint: subscription.endpoint };
  await keepPush(next);
  const wereKnown = await tell(next, next.members, subscription, kept.endpoint);
  // The same address as before, and the server had none: its push service had given it up.
  if (!wereKnown && !isAnew && subscription.endpoint === kept.endpoint) await renew(next, true);
}

/**
 * Tells the server where these characters are found, and that they are no longer elsewhere.
 * @returns whether it knew that of all of them
 */
async function tell(
  { language }: KeptPush,
  members: readonly PushMember[],
  subscription: PushSubscription,
  before: string,
): Promise<boolean> {
  const known: boolean[] = [];
  for (const { access_key } of members) {
    try {
      known.push((await postPushSubscription({ ...subscription.toJSON(), language }, access_key)).was_known);
    } catch (error) {
      // One key that holds no more does not keep the others from it.
      if (!endsSession(error)) throw error;
    }
    if (before !== subscription.endpoint) await deletePushSubscription(before, access_key).catch(() => {});
  }
  return known.every(Boolean);
}

/** @throws DeviceFailure */
async function startedWorker(): Promise<ServiceWorkerRegistration> {
  try {
    await navigator.serviceWorker.register('/service-worker.js');
  } catch (cause) {
    throw new DeviceFailure('worker', cause);
  }
  return navigator.serviceWorker.ready;
}

/** @throws DeviceFailure */
async function subscribed(
  worker: ServiceWorkerRegistration,
  public_key: string,
  kept: KeptPush | null,
  isAnew = false,
): Promise<PushSubscription> {
  const before = await worker.pushManager.getSubscription();
  if (before && !isAnew && (keyOf(before) ?? kept?.public_key) === public_key) return before;
  await before?.unsubscribe();
  try {
    return await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key });
  } catch (cause) {
    throw new DeviceFailure(cause instanceof DOMException && cause.name === 'NotAllowedError' ? 'denied' : 'unreachable', cause);
  }
}

/** To whose key it is subscribed, in base64url; null where the browser does not say. */
function keyOf({ options }: PushSubscription): string | null {
  const key = options?.applicationServerKey;
  if (!key) return null;
  return btoa(String.fromCharCode(...new Uint8Array(key)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
