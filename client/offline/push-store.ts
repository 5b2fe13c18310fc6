import type { Language } from '../i18n.ts';

export interface PushMember {
  name: string;
  access_key: string;
}

/** A character whose subscription the server must still delete. */
export interface Leaving {
  endpoint: string;
  access_key: string;
}

/** Shared by pages and the service worker. */
export interface StoredPush {
  /** The push service's address of this browser, as the server has it. */
  endpoint: string;
  /** The server's, to which the browser is subscribed. */
  public_key: string;
  language: Language;
  members: readonly PushMember[];
  /** Newest first; empty once no character gets notifications here. */
  leaving?: readonly Leaving[];
  /** Shown for a message that cannot be read. */
  unreadable: { title: string; body: string };
}

/** The record holds access keys. CacheStorage is for copies of responses, so it is in IndexedDB, the other store that both reach. */
const DATABASE = 'push';
const STORE = 'kept';
const KEY = 'push';

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => void request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Runs one request in a transaction of its own. @returns its result, once the transaction is complete */
async function inStore<T>(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = run(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** @throws DOMException where the browser blocks storage */
export async function readPush(): Promise<StoredPush | null> {
  return (await inStore<StoredPush | undefined>('readonly', (store) => store.get(KEY))) ?? null;
}

/**
 * @param kept null deletes it
 * @throws DOMException where the browser blocks storage
 */
export async function writePush(kept: StoredPush | null): Promise<void> {
  if (kept) await inStore('readwrite', (store) => store.put(kept, KEY));
  else await inStore('readwrite', (store) => store.delete(KEY));
}
