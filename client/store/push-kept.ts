import { create } from 'zustand';
import type { Language } from '../i18n.ts';
import { setPushFlag } from './push-flag.ts';

/** A character that is told in this browser. */
export interface PushMember {
  name: string;
  access_key: string;
}

/** A character that is to be told nothing at an address any more. */
export interface Leaving {
  endpoint: string;
  access_key: string;
}

/** What this browser knows of its notices: for its pages, and for its service worker, which has nothing else. */
export interface KeptPush {
  /** The push service's address of this browser, as the server has it. */
  endpoint: string;
  /** The server's, to which the browser is subscribed. */
  public_key: string;
  language: Language;
  members: readonly PushMember[];
  /** Who has gone, which the server could not be told yet, the last first: some at most, and none once nobody is told here. */
  leaving?: readonly Leaving[];
  /** What is shown for a notice that cannot be read. */
  unreadable: { title: string; body: string };
}

// In the one store that pages and service workers both reach without a schema.
export const KEPT_IN = 'push';
export const KEPT_AT = '/push-kept';

/** Who is told in this browser; null: nobody, or not known yet. */
export const useKeptPush = create<{ kept: KeptPush | null }>(() => ({ kept: null }));

/** @returns null where nobody is told of anything, or nothing can be kept */
export async function readKeptPush(): Promise<KeptPush | null> {
  const found = 'caches' in globalThis ? await caches.match(KEPT_AT, { cacheName: KEPT_IN }).catch(() => undefined) : undefined;
  const kept: KeptPush | null = (await found?.json().catch(() => null)) ?? null;
  useKeptPush.setState({ kept });
  return kept;
}

/** @param kept without members nothing of it stays */
export async function keepPush(kept: KeptPush): Promise<void> {
  const isOn = kept.members.length > 0;
  if (isOn) await (await caches.open(KEPT_IN)).put(KEPT_AT, Response.json(kept));
  else await caches.delete(KEPT_IN);
  setPushFlag(isOn);
  useKeptPush.setState({ kept: isOn ? kept : null });
}
