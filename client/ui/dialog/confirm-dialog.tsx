import * as Radix from 'radix-ui/alert-dialog';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../alert.tsx';
import { Button } from '../button.tsx';
import { classes } from '../classes.ts';
import styles from './dialog.module.css';
import { useReturnFocus } from './return-focus.ts';

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will be lost, in numbers where there are any. */
  text: ReactNode;
  /** The verb: "Delete event", never "OK". */
  confirmLabel: string;
  /** Until it settles the dialog stays open and busy; it closes when it succeeds. */
  onConfirm: () => void | Promise<void>;
  /** Turns what `onConfirm` threw into a sentence, shown in the dialog. Without it the caller reports failures. */
  errorText?: ((error: unknown) => string) | undefined;
  /** What failed, on a line above the sentence of `errorText`, which then is only the reason. */
  failed?: string | undefined;
  /** Not destructive: an accent button instead of a red one. */
  harmless?: boolean | undefined;
  /** Gets the focus after the action if the element that opened the dialog is gone, such as a deleted row's button. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
}

/** Asks for confirmation. Cancel has the focus, the action is last. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  text,
  confirmLabel,
  onConfirm,
  errorText,
  failed,
  harmless,
  focusAfter,
}: ConfirmDialogProps): ReactNode {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const done = useRef(false);
  const { handlers } = useReturnFocus(() => (done.current ? focusAfter?.current : null));
  const change = (next: boolean): void => {
    if (busy) return;
    done.current = false;
    setFailure(null);
    onOpenChange(next);
  };
  const confirm = (): void => {
    setBusy(true);
    setFailure(null);
    Promise.resolve()
      .then(onConfirm)
      .then(
        () => {
          done.current = true;
          onOpenChange(false);
        },
        (error: unknown) => (errorText ? setFailure(errorText(error)) : onOpenChange(false)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className={styles.veil}>
          <Radix.Content {...handlers} className={classes(styles.dialog)}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            <Radix.Description className={styles.description} asChild>
              <div>{text}</div>
            </Radix.Description>
            {failure ? (
              <Alert tone="bad" title={failed}>
                {failure}
              </Alert>
            ) : null}
            <div className={styles.actions}>
              <Radix.Cancel asChild>
                <Button disabled={busy}>{t('common.cancel')}</Button>
              </Radix.Cancel>
              <Button variant={harmless ? 'primary' : 'danger'} busy={busy} onClick={confirm}>
                {confirmLabel}
              </Button>
            </div>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}
