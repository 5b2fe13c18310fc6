import * as Radix from 'radix-ui/popover';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { IconButton } from '../../../ui/button.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import styles from './place.module.css';
import { type AskingProps, PlacePanel } from './place-panel.tsx';
import { stopPlacing } from './placing.ts';

/** Beside the chosen hours. Escape, and a press anywhere else, give them up. */
export function PlacePopover({ placing, claim, at }: AskingProps): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, anchor } = placing;
  const spot = useBoard((board) => board.byKind.respawn.get(respawn_id));
  const content = useRef<HTMLDivElement>(null);
  const virtual = useRef({ getBoundingClientRect: () => (at() ?? document.body).getBoundingClientRect() });
  virtual.current.getBoundingClientRect = () => (at() ?? document.body).getBoundingClientRect();
  return (
    <Radix.Root open onOpenChange={(open) => !open && stopPlacing()}>
      <Radix.Anchor virtualRef={virtual} />
      <Radix.Portal>
        <Radix.Content
          ref={content}
          aria-label={t('board.claimName', { name: spot?.name ?? '' })}
          sideOffset={8}
          collisionPadding={8}
          className={styles.popover}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            firstQuestion(content.current)?.focus({ preventScroll: true });
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveBackFocus(anchor);
          }}
        >
          <div className={styles.top}>
            <h2 className={styles.spot}>{spot?.name}</h2>
            <Radix.Close asChild>
              <IconButton small label={t('common.close')} icon={<CloseIcon size={14} />} />
            </Radix.Close>
          </div>
          <PlacePanel placing={placing} claim={claim} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The name that an admin has yet to type, else the button: Enter claims. */
export function firstQuestion(content: HTMLElement | null): HTMLElement | null | undefined {
  const name = content?.querySelector<HTMLInputElement>('input[name="character_name"]');
  return name?.value === '' ? name : content?.querySelector<HTMLElement>('[data-claim]');
}

/** To what was pressed; the page stays where it is scrolled to. */
export function giveBackFocus(anchor: HTMLElement): void {
  const target = anchor.isConnected && anchor.tabIndex >= -1 ? anchor : document.querySelector('main');
  target?.focus({ preventScroll: true });
}
