import { useEffect, useSyncExternalStore } from 'react';

export interface FullScreen {
  isOn: boolean;
  /** null: this browser has none, as a telephone's may. */
  toggle: (() => void) | null;
}

function subscribe(changed: () => void): () => void {
  document.addEventListener('fullscreenchange', changed);
  return () => document.removeEventListener('fullscreenchange', changed);
}

/** The whole screen for the page, until it is left, by whatever way. Messages and tips are within it. */
export function useFullScreen(): FullScreen {
  const isOn = useSyncExternalStore(subscribe, () => Boolean(document.fullscreenElement));
  useEffect(() => leave, []);
  if (!document.fullscreenEnabled) return { isOn: false, toggle: null };
  // A browser may refuse: then nothing changes.
  const enter = (): void => void document.documentElement.requestFullscreen().catch(() => {});
  return { isOn, toggle: isOn ? leave : enter };
}

function leave(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
}
