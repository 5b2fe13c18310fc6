import { useSyncExternalStore } from 'react';
import { localStore } from './storage.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** As public/early.js reads it before the first paint. */
const STORED = 'theme';
const listeners = new Set<() => void>();

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
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, currentTheme);
}
