import type { KeptPush } from './push-store.ts';

/** How a notice is shown: `NotificationOptions`, with what TypeScript's own does not know. */
interface NoticeOptions extends NotificationOptions {
  renotify?: boolean;
  data: { url: string };
}
export interface Notice {
  title: string;
  options: NoticeOptions;
}

/** A later one of these says something that must not be missed, though it takes the place of an earlier one. */
const RINGS_AGAIN: readonly unknown[] = ['hold_offered', 'confirm_now'];
/** What every page that is open says by itself, on top of all else. */
const ON_EVERY_PAGE = 'hold_offered';
const ICON = '/icons/icon-192.png';

/**
 * What is shown for what the server sent. Of a newer version's kind it shows what it can read; of nothing, that there is something:
 * browsers take the permission away from whoever shows nothing.
 * @param text the message, decrypted; null: there was none
 * @param kept what the page has left here; null: nothing
 * @param isWatched a page of ours is in view
 */
export function noticeOf(text: string | null, kept: Pick<KeptPush, 'language' | 'unreadable'> | null, isWatched: boolean): Notice {
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
      // Browsers refuse one that is silent and rings.
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

/** Where a press on a notice leads: an address of ours, whatever it carries. */
export function addressOf(data: unknown, origin: string): string {
  const url = typeof data === 'object' && data !== null && 'url' in data && typeof data.url === 'string' ? data.url : '/';
  try {
    const { origin: its, pathname, search } = new URL(url, origin);
    return its === origin ? pathname + search : '/';
  } catch {
    return '/';
  }
}
