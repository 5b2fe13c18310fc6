import { create } from 'zustand';
import { type KeptPush, readPush, writePush } from '../offline/push-store.ts';
import { setPushFlag } from './push-flag.ts';

/** The characters this browser gets push messages for; null if none, or not read yet. */
export const useKeptPush = create<{ kept: KeptPush | null }>(() => ({ kept: null }));

/** @returns null without a subscription, or where IndexedDB is not available */
export async function readKeptPush(): Promise<KeptPush | null> {
  const kept = await readPush().catch(() => null);
  useKeptPush.setState({ kept });
  return kept;
}

/** @param kept deleted if it has no members */
export async function keepPush(kept: KeptPush): Promise<void> {
  const isOn = kept.members.length > 0;
  await writePush(isOn ? kept : null);
  setPushFlag(isOn);
  useKeptPush.setState({ kept: isOn ? kept : null });
}
