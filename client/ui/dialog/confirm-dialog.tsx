import * as Radix from 'radix-ui/alert-dialog';
import { type ReactNode, type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../alert.tsx';
import { Button } from '../button.tsx';
import { classes } from '../classes.ts';
import { Cluster } from '../layout.tsx';
import { useAction } from '../use-action.ts';
import styles from './dialog.module.css';
import { useReturnFocus } from './return-focus.ts';

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Names the consequence, with counts where there are any. */
  text: ReactNode;
  /** The verb: "Delete event", never "OK". */
  confirmLabel: string;
  /** Until it settles the dialog stays open and busy; it closes when it succeeds. */
  onConfirm: () => void | Promise<void>;
  /** Turns what `onConfirm` threw into a sentence, shown in the dialog. Without it the caller reports failures. */
  errorText?: ((error: unknown) => string) | undefined;
  /** The title of a failure; `errorText` is then only its reason. */
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
  const done = useRef(false);
  const confirm = useAction({
    work: async () => {
      try {
        await onConfirm();
        return true;
      } catch (error) {
        if (errorText) throw error;
        return false;
      }
    },
    done: (isDone) => {
      done.current = isDone;
      onOpenChange(false);
    },
  });
  const { handlers } = useReturnFocus(() => (done.current ? focusAfter?.current : null));
  const change = (next: boolean): void => {
    if (confirm.isBusy) return;
    done.current = false;
    confirm.forget();
    onOpenChange(next);
  };
  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Portal>
        <Radix.Overlay className={styles.veil}>
          <Radix.Content {...handlers} className={classes(styles.dialog)}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            <Radix.Description className="muted" asChild>
              <div>{text}</div>
            </Radix.Description>
            {confirm.failure && errorText ? (
              <Alert tone="bad" title={failed}>
                {errorText(confirm.failure)}
              </Alert>
            ) : null}
            <Cluster align="start" justify="end" className={styles.actions}>
              <Radix.Cancel asChild>
                <Button disabled={confirm.isBusy}>{t('common.cancel')}</Button>
              </Radix.Cancel>
              <Button
                variant={harmless ? 'primary' : 'danger'}
                busy={confirm.isBusy}
                onClick={() => confirm.run()}
              >
                {confirmLabel}
              </Button>
            </Cluster>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}
