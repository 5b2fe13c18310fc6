import * as Radix from 'radix-ui/dialog';
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../button.tsx';
import { classes } from '../classes.ts';
import { CloseIcon } from '../icons.tsx';
import styles from './dialog.module.css';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  wide?: boolean | undefined;
  /** What it says is said once: only its own buttons close it. */
  stays?: boolean | undefined;
  /** Takes the focus when it closes, where what had it before is gone by then. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  /** Something is being saved: nothing closes it until the answer is known. */
  busy?: boolean | undefined;
  /** Buttons, the one that ends it last. Inside a form put <DialogActions> into it instead. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Lets a form keep the dialog around it open while it saves. */
const SetSavingContext = createContext<(saving: boolean) => void>(() => {});

/** Keeps the focus inside while it is open and gives it back after. Escape and the veil close it, unless it stays or is saving. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide,
  stays,
  busy,
  focusAfter,
  actions,
  children,
}: DialogProps): ReactNode {
  const { t } = useTranslation();
  const isSaving = useRef(false);
  const setSaving = (saving: boolean): void => {
    isSaving.current = saving;
  };
  const change = (next: boolean): void => {
    if (!busy && !isSaving.current) onOpenChange(next);
  };
  const returnFocus = useReturnFocus(() => focusAfter?.current);
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className={styles.veil}>
          <Radix.Content
            {...returnFocus}
            // A list that is open in it closes first.
            onEscapeKeyDown={(event) => {
              const inList = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
              if (stays || inList) event.preventDefault();
            }}
            onInteractOutside={(event) => stays && event.preventDefault()}
            className={classes(styles.dialog, wide && styles.wide)}
            {...(description ? {} : { 'aria-describedby': undefined })}
          >
            <div className={styles.head}>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              {stays ? null : (
                <Radix.Close asChild>
                  <IconButton label={t('common.close')} icon={<CloseIcon />} className={classes(styles.close)} />
                </Radix.Close>
              )}
            </div>
            {description ? <Radix.Description className={styles.description}>{description}</Radix.Description> : null}
            <SetSavingContext value={setSaving}>{children}</SetSavingContext>
            {actions ? <div className={styles.actions}>{actions}</div> : null}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface DialogActionsProps {
  onCancel: () => void;
  /** While a request is pending, the dialog can't be closed: a failure would go unseen, and the answer could close another dialog. */
  busy: boolean;
  /** The button that ends the form. */
  children: ReactNode;
}

/** The buttons of a form in a dialog. Nothing closes the dialog while the form saves. */
export function DialogActions({ onCancel, busy, children }: DialogActionsProps): ReactNode {
  const { t } = useTranslation();
  const setSaving = useContext(SetSavingContext);
  useEffect(() => {
    setSaving(busy);
    return () => setSaving(false);
  }, [setSaving, busy]);
  return (
    <div className={styles.actions}>
      <Button disabled={busy} onClick={onCancel}>
        {t('common.cancel')}
      </Button>
      {children}
    </div>
  );
}

interface DialogFocus {
  onOpenAutoFocus: (event: Event) => void;
  onCloseAutoFocus: (event: Event) => void;
}

const FIRST_FIELD = 'input:not([disabled]), select:not([disabled]), textarea:not([disabled])';

/** The entry of a menu is gone when the dialog closes: its menu's button stands for it. */
function openerOf(focused: Element | null): Element | null {
  const buttonId = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return buttonId ? document.getElementById(buttonId) : focused;
}

/**
 * Where the focus goes when a dialog opens and closes: into a form's first field, and back to where it was.
 * Radix gives it back only to a trigger of its own, and our dialogs are opened by state. Where the opener is gone,
 * the page's main part takes it.
 */
export function useReturnFocus(instead?: () => HTMLElement | null | undefined): DialogFocus {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event) => {
      opener.current = openerOf(document.activeElement);
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
