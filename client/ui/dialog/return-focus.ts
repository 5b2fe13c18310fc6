import { type RefObject, useEffect, useRef } from 'react';

interface DialogFocus {
  onOpenAutoFocus: (event: Event) => void;
  onCloseAutoFocus: (event: Event) => void;
}

interface ReturnFocus {
  handlers: DialogFocus;
  opener: RefObject<HTMLElement | null>;
}

const FIRST_FIELD = 'input:not([disabled]), select:not([disabled]), textarea:not([disabled])';

/** The opener of a dialog that closes at this moment: one that takes its place returns the focus there. */
let lastOpener: HTMLElement | null = null;

/** A menu's entry is gone when the dialog closes: focus its menu's button instead. */
function openerOf(focused: Element | null): Element | null {
  const buttonId = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return buttonId ? document.getElementById(buttonId) : focused;
}

/**
 * Where the focus goes when a dialog opens and closes: into a form's first field, and back to where it was.
 * Radix gives it back only to a trigger of its own, and our dialogs are opened by state. Where the opener is gone,
 * the page's main part takes it.
 */
export function useReturnFocus(instead?: () => HTMLElement | null | undefined): ReturnFocus {
  const opener = useRef<HTMLElement | null>(null);
  useEffect(
    () => () => {
      lastOpener = opener.current ?? lastOpener;
      setTimeout(() => {
        lastOpener = null;
      });
    },
    [],
  );
  const handlers: DialogFocus = {
    onOpenAutoFocus: (event) => {
      const before = lastOpener ?? openerOf(document.activeElement);
      opener.current = before instanceof HTMLElement ? before : null;
      const field =
        event.target instanceof Element
          ? event.target.querySelector<HTMLElement>(FIRST_FIELD)
          : null;
      if (!field) return;
      event.preventDefault();
      field.focus();
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      const before = opener.current;
      const target = instead?.() ?? (before?.isConnected ? before : document.querySelector('main'));
      // Where something else takes it, the page stays where it is: a long list would jump to its head.
      target?.focus({ preventScroll: target !== before });
    },
  };
  return { handlers, opener };
}
