import type { StoredPush } from './push-store.ts';

/** `NotificationOptions`, with the fields that TypeScript doesn't know. */
interface NoticeOptions extends NotificationOptions {
  renotify?: boolean;
  data: { url: string };
}
interface Notice {
  title: string;
  options: NoticeOptions;
}

/** Kinds that alert again when they replace an earlier notification. */
const RINGS_AGAIN: readonly unknown[] = ['hold_offered', 'confirm_now', 'transfer_offered'];
/** Open pages show this kind themselves. */
const ON_EVERY_PAGE = 'hold_offered';
const ICON = '/icons/icon-192.png';

/**
 * The notification for a push message. Unknown kinds show what is readable, an empty message shows a general text: browsers revoke the
 * permission of pages that show nothing.
 * @param text the decrypted message; null: there was none
 * @param kept what pages stored for the service worker
 * @param isWatched whether a page of ours is visible
 */
export function noticeOf(
  text: string | null,
  kept: Pick<StoredPush, 'language' | 'unreadable'> | null,
  isWatched: boolean,
): Notice {
  const { kind, title, body, tag, url, language } = fieldsOf(text);
  const name = typeof tag === 'string' ? tag : '';
  const isReadable = typeof title === 'string' && title !== '';
  const isSilent = isWatched && kind === ON_EVERY_PAGE;
  return {
    title: isReadable ? title : (kept?.unreadable.title ?? 'Claimboard'),
    options: {
      body: isReadable ? (typeof body === 'string' ? body : '') : (kept?.unreadable.body ?? ''),
      icon: ICON,
      lang: isReadable && typeof language === 'string' ? language : (kept?.language ?? 'en'),
      data: { url: typeof url === 'string' ? url : '/mine' },
      ...(name === '' ? {} : { tag: name }),
      // Browsers refuse `silent` with `renotify`.
      ...(isSilent ? { silent: true } : { renotify: name !== '' && RINGS_AGAIN.includes(kind) }),
    },
  };
}

function fieldsOf(text: string | null): { [name: string]: unknown } {
  try {
    const fields: unknown = JSON.parse(text ?? '');
    return typeof fields === 'object' && fields !== null ? { ...fields } : {};
  } catch {
    return {};
  }
}

/** The address a notification leads to; always on our origin. */
export function addressOf(data: unknown, origin: string): string {
  const url =
    typeof data === 'object' && data !== null && 'url' in data && typeof data.url === 'string'
      ? data.url
      : '/';
  try {
    const { origin: its, pathname, search } = new URL(url, origin);
    return its === origin ? pathname + search : '/';
  } catch {
    return '/';
  }
}

/** The used part of `WindowClient`. */
export interface OpenWindow {
  url: string;
  focused: boolean;
  visibilityState: DocumentVisibilityState;
  focus: () => Promise<unknown>;
  navigate: (url: string) => Promise<unknown>;
}

interface Windows<W extends OpenWindow> {
  /** Windows of our origin. */
  all: readonly W[];
  isApp: (pathname: string) => boolean;
  /**
   * Asks a page to navigate itself, which keeps its state.
   * @returns whether it does
   */
  ask: (page: W, address: string) => Promise<boolean>;
  open: (address: string) => Promise<unknown>;
}

/** Opens an address in an open page of ours (the focused one first), else in a new window. */
export async function openNotice<W extends OpenWindow>(
  address: string,
  { all, isApp, ask, open }: Windows<W>,
): Promise<void> {
  const pages = all.filter(({ url }) => isApp(new URL(url).pathname));
  const page =
    pages.find(({ focused }) => focused) ??
    pages.find(({ visibilityState }) => visibilityState === 'visible') ??
    pages[0];
  if (!page) {
    await open(address);
    return;
  }
  // Focusing may be refused; navigating may still work.
  await page.focus().catch(() => {});
  try {
    // A page that is still starting, or of another version, doesn't answer.
    if (!(await ask(page, address))) await page.navigate(address);
  } catch {
    await open(address);
  }
}

interface Renewal {
  kept: StoredPush;
  /** The new subscription, if the browser already made one. */
  made: PushSubscription | null;
  subscribe: (public_key: string) => Promise<PushSubscription>;
  fetch: typeof fetch;
}

/**
 * Registers the browser's new push address for each character. If a request is lost, the next page that opens finds the old address and
 * repeats it.
 */
export async function renewSubscription({
  kept,
  made,
  subscribe,
  fetch: call,
}: Renewal): Promise<void> {
  const subscription = made ?? (await subscribe(kept.public_key));
  const send = (method: string, key: string, body: object): Promise<unknown> =>
    call('/api/push/subscriptions', {
      method,
      headers: { 'Content-Type': 'application/json', 'X-Access-Key': key },
      body: JSON.stringify(body),
    }).catch(() => {});
  for (const { access_key } of kept.members) {
    await send('POST', access_key, { ...subscription.toJSON(), language: kept.language });
    if (kept.endpoint !== subscription.endpoint)
      await send('DELETE', access_key, { endpoint: kept.endpoint });
  }
}
