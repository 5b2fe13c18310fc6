/** The used part of `Storage`. */
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * A browser's storage, and the memory of this page where the browser blocks it (even looking at `localStorage` throws there) or it
 * is full.
 */
function guarded(open: () => Store): Store {
  const memory = new Map<string, string>();
  return {
    getItem: (key) => {
      const kept = memory.get(key);
      if (kept !== undefined) return kept;
      try {
        return open().getItem(key);
      } catch {
        return null;
      }
    },
    setItem: (key, value) => {
      try {
        open().setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
      }
    },
    removeItem: (key) => {
      memory.delete(key);
      try {
        open().removeItem(key);
      } catch {
        // Nothing is stored.
      }
    },
  };
}

/** Shared by the tabs of this browser, and kept. */
export const localStore = guarded(() => localStorage);
/** Kept over reloads of this tab. */
export const tabStore = guarded(() => sessionStorage);

const PROBE = 'storage-probe';

const isBlocked = (error: unknown): boolean =>
  !(error instanceof DOMException && error.name === 'QuotaExceededError');

function refuses(open: () => Store, isSuch: (error: unknown) => boolean = () => true): boolean {
  try {
    open().setItem(PROBE, PROBE);
    open().removeItem(PROBE);
    return false;
  } catch (error) {
    return isSuch(error);
  }
}

/** True where the browser blocks local storage. Full storage is not blocked. */
export const isLocalBlocked = (): boolean => refuses(() => localStorage, isBlocked);
/** True where a reload forgets what this tab has done. */
export const isTabBlocked = (): boolean => refuses(() => sessionStorage);
