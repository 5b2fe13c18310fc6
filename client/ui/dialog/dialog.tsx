import * as Radix from 'radix-ui/dialog';
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../button.tsx';
import { classes } from '../classes.ts';
import { CloseIcon } from '../icons.tsx';
import { Cluster } from '../layout.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import styles from './dialog.module.css';
import { isInOpenList } from './open-list.ts';
import { useReturnFocus } from './return-focus.ts';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** Only screen readers get the title; the close button appears when it has the focus. */
  hideTitle?: boolean | undefined;
  description?: ReactNode;
  wide?: boolean | undefined;
  /** Its text is shown only once: only its own buttons close it. */
  stays?: boolean | undefined;
  /** Takes the focus when it closes, where what had it before is gone by then. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  /** Something is being saved: nothing closes it until the answer is known. */
  busy?: boolean | undefined;
  /** Buttons, the one that ends it last. Inside a form put <DialogActions> into it instead. */
  actions?: ReactNode;
  children?: ReactNode;
}

interface FormState {
  isSaving: boolean;
  isChanged: boolean;
}
const UNTOUCHED: FormState = { isSaving: false, isChanged: false };

/** Lets a form keep the dialog around it open while it saves or holds typed work. */
const SetFormStateContext = createContext<(state: FormState) => void>(() => {});

/**
 * Keeps the focus inside while it is open and gives it back after. Escape and the veil close it, unless it stays or is saving; if a
 * form in it was changed, they and the browser's Back ask first.
 */
export function Dialog({
  open,
  onOpenChange,
  title,
  hideTitle,
  description,
  wide,
  stays,
  busy,
  focusAfter,
  actions,
  children,
}: DialogProps): ReactNode {
  const { t } = useTranslation();
  const [form, setForm] = useState(UNTOUCHED);
  const [isAsking, setAsking] = useState(false);
  // It may be closed meanwhile, as with the record that it edits.
  if (isAsking && !open) setAsking(false);
  const change = (next: boolean): void => {
    if (busy || form.isSaving) return;
    if (form.isChanged) setAsking(true);
    else onOpenChange(next);
  };
  const [hasChanged, setChanged] = useState(false);
  if (open ? form.isChanged && !hasChanged : hasChanged) setChanged(open);
  useAskOnBack(hasChanged, () => change(false));
  const { handlers, opener } = useReturnFocus(() => focusAfter?.current);
  return (
    <>
      <Radix.Root open={open} onOpenChange={change}>
        <Radix.Portal>
          <Radix.Overlay className={styles.veil}>
            <Radix.Content
              {...handlers}
              onEscapeKeyDown={(event) => {
                if (stays || isInOpenList(event)) event.preventDefault();
              }}
              onInteractOutside={(event) => stays && event.preventDefault()}
              className={classes(styles.dialog, wide && styles.wide, hideTitle && styles.bare)}
              {...(description ? {} : { 'aria-describedby': undefined })}
            >
              {hideTitle ? (
                <Radix.Title className="visually-hidden">{title}</Radix.Title>
              ) : (
                <div className={styles.head}>
                  <Radix.Title className={styles.title}>{title}</Radix.Title>
                  {stays ? null : (
                    <Radix.Close asChild>
                      <IconButton
                        label={t('common.close')}
                        icon={<CloseIcon />}
                        className={classes(styles.close)}
                      />
                    </Radix.Close>
                  )}
                </div>
              )}
              {description ? (
                <Radix.Description className="muted">{description}</Radix.Description>
              ) : null}
              <SetFormStateContext value={setForm}>{children}</SetFormStateContext>
              {actions ? (
                <Cluster align="start" justify="end" className={styles.actions}>
                  {actions}
                </Cluster>
              ) : null}
              {/* Last, so that the focus begins in the content. A finger on a screen reader has no Escape. */}
              {hideTitle && !stays ? (
                <Radix.Close asChild>
                  <Button small className={styles.unseen}>
                    {t('common.close')}
                  </Button>
                </Radix.Close>
              ) : null}
            </Radix.Content>
          </Radix.Overlay>
        </Radix.Portal>
      </Radix.Root>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('common.discard.title')}
        text={t('common.discard.text')}
        confirmLabel={t('common.discard.confirm')}
        onConfirm={() => onOpenChange(false)}
        focusAfter={opener}
      />
    </>
  );
}

/** Marks the history entry that Back leaves first while a form is changed. */
const GUARD = 'guardsForm';
const isGuard = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && GUARD in state;
let guarded = 0;

/**
 * While `isOn`, the browser's Back asks instead of leaving the page: it leaves a second history entry of the same address, unseen by
 * the router.
 */
function useAskOnBack(isOn: boolean, ask: () => void): void {
  const onBack = useEffectEvent(ask);
  useEffect(() => {
    if (!isOn) return;
    const address = window.location.href;
    const guard = (): void => {
      if (!isGuard(window.history.state))
        window.history.pushState({ ...window.history.state, [GUARD]: true }, '');
    };
    const onPop = (event: PopStateEvent): void => {
      // Two steps back at once lead to another page.
      if (window.location.href !== address) return;
      event.stopImmediatePropagation();
      guard();
      // Not in the event: React renders at once there, before the question is the topmost layer.
      setTimeout(() => onBack());
    };
    guarded += 1;
    guard();
    window.addEventListener('popstate', onPop, { capture: true });
    return () => {
      guarded -= 1;
      window.removeEventListener('popstate', onPop, { capture: true });
      // Later: the save may be about to open another page, whose entry replaces or follows the guard.
      setTimeout(() => {
        if (guarded === 0 && isGuard(window.history.state)) removeGuard(address);
      });
    };
  }, [isOn]);
}

/** Saved or discarded: one press of Back leads to the page before again. */
function removeGuard(address: string): void {
  const skip = (event: PopStateEvent): void => {
    if (window.location.href === address) event.stopImmediatePropagation();
  };
  window.addEventListener('popstate', skip, { capture: true, once: true });
  window.history.back();
}

interface DialogActionsProps {
  onCancel: () => void;
  /** While a request is pending, the dialog can't be closed: a failure would go unseen, and the answer could close another dialog. */
  busy: boolean;
  /** It holds typed work: Escape, the veil and the close button ask before it is lost. Cancel says so itself. */
  isChanged?: boolean | undefined;
  /** The button that ends the form. */
  children: ReactNode;
}

/** The buttons of a form in a dialog. Nothing closes the dialog while the form saves. */
export function DialogActions({
  onCancel,
  busy,
  isChanged = false,
  children,
}: DialogActionsProps): ReactNode {
  const { t } = useTranslation();
  const setFormState = useContext(SetFormStateContext);
  useEffect(() => {
    setFormState({ isSaving: busy, isChanged });
    return () => setFormState(UNTOUCHED);
  }, [setFormState, busy, isChanged]);
  return (
    <Cluster align="start" justify="end" className={styles.actions}>
      <Button disabled={busy} onClick={onCancel}>
        {t('common.cancel')}
      </Button>
      {children}
    </Cluster>
  );
}
