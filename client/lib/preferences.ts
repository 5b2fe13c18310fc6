import { useSyncExternalStore } from 'react';
import { localStore } from './storage.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** public/early.js reads it before the first paint. */
const THEME_KEY = 'theme';
const themeListeners = new Set<() => void>();

function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return THEMES.find((one) => one === theme) ?? 'system';
}

/** Stored in this browser. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    delete document.documentElement.dataset.theme;
    localStore.removeItem(THEME_KEY);
  } else {
    document.documentElement.dataset.theme = theme;
    localStore.setItem(THEME_KEY, theme);
  }
  for (const listener of themeListeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((changed) => {
    themeListeners.add(changed);
    return () => themeListeners.delete(changed);
  }, currentTheme);
}

/** WCAG 2.1.4: shortcuts of one letter can be switched off, for speech input and unsteady hands. */
const SHORTCUTS_KEY = 'shortcuts';
const OFF = 'off';

const shortcutListeners = new Set<() => void>();

export const areShortcutsOn = (): boolean => localStore.getItem(SHORTCUTS_KEY) !== OFF;

export function setShortcutsOn(on: boolean): void {
  if (on) localStore.removeItem(SHORTCUTS_KEY);
  else localStore.setItem(SHORTCUTS_KEY, OFF);
  for (const listener of shortcutListeners) listener();
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore((changed) => {
    shortcutListeners.add(changed);
    return () => shortcutListeners.delete(changed);
  }, areShortcutsOn);
}
