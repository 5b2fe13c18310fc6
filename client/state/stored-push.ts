import { create } from 'zustand';
import { readPush, type StoredPush, writePush } from '../offline/push-store.ts';
import { setPushFlag } from './push-flag.ts';

/** The characters this browser gets push messages for; null if none, or not read yet. */
export const useStoredPush = create<{ kept: StoredPush | null }>(() => ({ kept: null }));

/** @returns null without a subscription, or where IndexedDB is not available */
export async function readStoredPush(): Promise<StoredPush | null> {
  const kept = await readPush().catch(() => null);
  useStoredPush.setState({ kept });
  return kept;
}

/** @param kept deleted if it has no members */
export async function storePush(kept: StoredPush): Promise<void> {
  const isOn = kept.members.length > 0;
  await writePush(isOn ? kept : null);
  setPushFlag(isOn);
  useStoredPush.setState({ kept: isOn ? kept : null });
}
