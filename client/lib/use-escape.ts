import { useEffect, useEffectEvent } from 'react';

/** Overlays that Escape closes before it reaches the page. */
const ON_TOP = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Calls back on Escape while `isOn`, unless the key closes a dialog, a menu or the full screen. */
export function useEscape(isOn: boolean, onEscape: () => void): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    if (
      event.key !== 'Escape' ||
      event.defaultPrevented ||
      document.fullscreenElement ||
      document.querySelector(ON_TOP)
    )
      return;
    onEscape();
  });
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent): void => listen(event);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn]);
}
