import { useEffect } from 'react';
import { closeOverlay, isOverlayOpen, openOverlay } from '../../state/overlays.ts';

/** Opens the palette with Ctrl+K, on a Mac with Cmd+K, wherever the focus is; the same keys close it. Draws nothing. */
export function OpenPaletteOnKey(): null {
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return null;
}

function onKey(event: KeyboardEvent): void {
  // The event of Chrome's autofill has no key.
  if (
    (event.key !== 'k' && event.key !== 'K') ||
    event.ctrlKey === event.metaKey ||
    event.altKey ||
    event.shiftKey
  )
    return;
  event.preventDefault();
  if (isOverlayOpen('palette')) closeOverlay('palette');
  // Not above another dialog.
  else if (!document.querySelector('[role="dialog"], [role="alertdialog"]'))
    openOverlay('palette', {});
}
