import { useRef } from 'react';

interface DialogFocus {
  onOpenAutoFocus: (event: Event) => void;
  onCloseAutoFocus: (event: Event) => void;
}

const FIRST_FIELD = 'input:not([disabled]), select:not([disabled]), textarea:not([disabled])';

/**
 * Where the focus goes when a dialog opens and closes: into a form's first field, and back to where it was.
 * Radix gives it back only to a trigger of its own, and our dialogs are opened by state. Where the opener is gone,
 * the page's main part takes it.
 */
export function useReturnFocus(instead?: () => HTMLElement | null | undefined): DialogFocus {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event) => {
      opener.current = document.activeElement;
      const field = event.target instanceof Element ? event.target.querySelector<HTMLElement>(FIRST_FIELD) : null;
      if (!field) return;
      event.preventDefault();
      field.focus();
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      const before = opener.current;
      const target = instead?.() ?? (before instanceof HTMLElement && before.isConnected ? before : document.querySelector('main'));
      // Where something else takes it, the page stays where it is: a long list would jump to its head.
      target?.focus({ preventScroll: target !== before });
    },
  };
}
