import { useSyncExternalStore } from 'react';
import { localStore } from './storage.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** As public/early.js reads it before the first paint. */
const STORED = 'theme';
const themeListeners = new Set<() => void>();

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return THEMES.find((one) => one === theme) ?? 'system';
}

/** Remembered in this browser; the system's is followed again as soon as it is chosen. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset.theme;
    localStore.removeItem(STORED);
  } else {
    document.documentElement.dataset.theme = theme;
    localStore.setItem(STORED, theme);
  }
  for (const listener of themeListeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((changed) => {
    themeListeners.add(changed);
    return () => themeListeners.delete(changed);
  }, currentTheme);
}

/** A key of one letter must not surprise those who speak to their computer, or type with a shaking hand: it can be switched off. */
const KEPT_AS = 'shortcuts';
const OFF = 'off';

const shortcutListeners = new Set<() => void>();

export const areShortcutsOn = (): boolean => localStore.getItem(KEPT_AS) !== OFF;

export function switchShortcuts(on: boolean): void {
  if (on) localStore.removeItem(KEPT_AS);
  else localStore.setItem(KEPT_AS, OFF);
  for (const changed of shortcutListeners) changed();
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore((changed) => {
    shortcutListeners.add(changed);
    return () => shortcutListeners.delete(changed);
  }, areShortcutsOn);
}
