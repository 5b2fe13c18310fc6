import * as Radix from 'radix-ui/popover';
import { type ReactNode, useRef } from 'react';
import { Stack } from '../../ui/layout.tsx';
import styles from './claiming.module.css';

interface ClaimMenuProps {
  label: string;
  name: string;
  spot?: string | undefined;
  hours: string;
  /** The pressed element: the focus returns to it. */
  anchor: HTMLElement;
  onClose: () => void;
  /** One button for each action, the destructive one last. */
  children: ReactNode;
}

/** The actions for a pressed claim. Escape or a press elsewhere closes it. An action's dialog returns the focus to the anchor. */
export function ClaimMenu({
  label,
  name,
  spot,
  hours,
  anchor,
  onClose,
  children,
}: ClaimMenuProps): ReactNode {
  const content = useRef<HTMLDivElement>(null);
  const virtual = useRef({ getBoundingClientRect: () => anchor.getBoundingClientRect() });
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Anchor virtualRef={virtual} />
      <Radix.Portal>
        <Radix.Content
          ref={content}
          aria-label={label}
          sideOffset={6}
          collisionPadding={8}
          className={styles.menu}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            content.current?.querySelector('button')?.focus({ preventScroll: true });
          }}
          // A chosen action moves the focus to the anchor, where its dialog returns it.
          onFocusOutside={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (document.activeElement === document.body) anchor.focus({ preventScroll: true });
          }}
        >
          <p className={styles.about}>
            <b>{name}</b> {spot === undefined ? null : <span>{spot}</span>}{' '}
            <span className="tabular nowrap">{hours}</span>
          </p>
          <Stack gap={2}>{children}</Stack>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
