import { useSyncExternalStore } from 'react';
import { localStore } from './storage.ts';

/** A key of one letter must not surprise those who speak to their computer, or type with a shaking hand: it can be switched off. */
const KEPT_AS = 'shortcuts';
const OFF = 'off';

const listeners = new Set<() => void>();

export const areShortcutsOn = (): boolean => localStore.getItem(KEPT_AS) !== OFF;

export function switchShortcuts(on: boolean): void {
  if (on) localStore.removeItem(KEPT_AS);
  else localStore.setItem(KEPT_AS, OFF);
  for (const changed of listeners) changed();
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, areShortcutsOn);
}
