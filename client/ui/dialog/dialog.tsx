import * as Radix from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../button.tsx';
import { classes } from '../classes.ts';
import { CloseIcon } from '../icons.tsx';
import styles from './dialog.module.css';
import { useReturnFocus } from './use-return-focus.ts';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  wide?: boolean | undefined;
  /** Buttons, the one that ends it last. Inside a form put <DialogActions> into it instead. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Keeps the focus inside while it is open and gives it back after. Escape and the veil close it. */
export function Dialog({ open, onOpenChange, title, description, wide, actions, children }: DialogProps): ReactNode {
  const { t } = useTranslation();
  const returnFocus = useReturnFocus();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={styles.veil}>
          <Radix.Content
            {...returnFocus}
            // A list that is open in it closes first.
            onEscapeKeyDown={(event) => {
              if (event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true') event.preventDefault();
            }}
            className={classes(styles.dialog, wide && styles.wide)}
            {...(description ? {} : { 'aria-describedby': undefined })}
          >
            <div className={styles.head}>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              <Radix.Close asChild>
                <IconButton label={t('common.close')} icon={<CloseIcon />} className={classes(styles.close)} />
              </Radix.Close>
            </div>
            {description ? <Radix.Description className={styles.description}>{description}</Radix.Description> : null}
            {children}
            {actions ? <DialogActions>{actions}</DialogActions> : null}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function DialogActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles.actions}>{children}</div>;
}
