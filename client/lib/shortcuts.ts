import { useSyncExternalStore } from 'react';

/** A key of one letter must not surprise those who speak to their computer, or type with a shaking hand: it can be switched off. */
const KEPT_AS = 'shortcuts';
const OFF = 'off';

const listeners = new Set<() => void>();

export const areShortcutsOn = (): boolean => localStorage.getItem(KEPT_AS) !== OFF;

export function switchShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(KEPT_AS);
  else localStorage.setItem(KEPT_AS, OFF);
  for (const changed of listeners) changed();
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, areShortcutsOn);
}
