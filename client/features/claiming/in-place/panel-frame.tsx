import * as Dialog from 'radix-ui/dialog';
import * as Popover from 'radix-ui/popover';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { useBoard } from '../../../state/board-store.ts';
import { IconButton } from '../../../ui/button.tsx';
import { isInOpenList } from '../../../ui/dialog/open-list.ts';
import { CloseIcon } from '../../../ui/icons.tsx';
import { MEDIA } from '../../../ui/media.ts';
import styles from './claim-in-place.module.css';
import { boxAround, isRow } from './hours-box.ts';

/** A finger covers what it presses: it gets a sheet at the bottom instead of a popover. */
const useIsTouch = (): boolean => useMediaQuery(MEDIA.touch);

interface PanelFrameProps {
  respawn_id: number;
  /** The popover's accessible name, for the name of the spot; a sheet is named by its title. */
  labelOf: (spot: string) => string;
  /** The element beside which it opens. */
  at: () => HTMLElement | null;
  /** The pressed element: the focus returns to it. */
  anchor: HTMLElement;
  /** It may be higher than the room below or above the element. */
  isTall?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Around a question about hours of a spot: beside them, or at the bottom of a phone. Escape, and a press outside, close it. */
export function PanelFrame(props: PanelFrameProps): ReactNode {
  const spot = useBoard((board) => board.byKind.respawn.get(props.respawn_id)?.name ?? '');
  const isTouchNow = useIsTouch();
  // Keep the kind of an open panel when a mouse is connected, or its input would be lost.
  const [isTouch] = useState(isTouchNow);
  return isTouch ? <Sheet {...props} spot={spot} /> : <Beside {...props} spot={spot} />;
}

type FrameProps = PanelFrameProps & { spot: string };

/**
 * Where the popover opens: beside the element, and beside the name of its spot, which it must not cover. It stays there while the hours
 * change, or it would move away from the hand that changes them.
 */
function usePlace(
  at: () => HTMLElement | null,
): RefObject<{ getBoundingClientRect: () => DOMRect }> {
  const first = useRef<{ box: HTMLElement; from: number; width: number } | null>(null);
  const measure = (): DOMRect => {
    const element = at() ?? document.body;
    const rect = element.getBoundingClientRect();
    const box = boxAround(element) ?? first.current?.box;
    if (!box?.isConnected) return rect;
    const day = box.getBoundingClientRect();
    first.current ??= { box, from: rect.left - day.left, width: rect.width };
    const top = isRow(box)
      ? day.top
      : (box.closest('[data-spot]') ?? box).getBoundingClientRect().top;
    return new DOMRect(day.left + first.current.from, top, first.current.width, day.bottom - top);
  };
  const place = useRef({ getBoundingClientRect: measure });
  place.current.getBoundingClientRect = measure;
  return place;
}

/** Room for a tall panel, in pixels: with less below and above, it opens at the side, where it has the height of the window. */
const TALL_PX = 540;

function hasRoom({ top, bottom }: DOMRect): boolean {
  return Math.max(top, window.innerHeight - bottom) >= TALL_PX;
}

function Beside({
  spot,
  labelOf,
  at,
  anchor,
  isTall = false,
  onClose,
  children,
}: FrameProps): ReactNode {
  const { t } = useTranslation();
  const content = useRef<HTMLDivElement>(null);
  const place = usePlace(at);
  const [side] = useState<'right' | 'bottom'>(() =>
    isTall && !hasRoom(place.current.getBoundingClientRect()) ? 'right' : 'bottom',
  );
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Anchor virtualRef={place} />
      <Popover.Portal>
        <Popover.Content
          ref={content}
          aria-label={labelOf(spot)}
          side={side}
          sideOffset={8}
          collisionPadding={8}
          className={styles.popover}
          onEscapeKeyDown={(event) => isInOpenList(event) && event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            firstQuestion(content.current)?.focus({ preventScroll: true });
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus(anchor);
          }}
        >
          <div className={styles.top}>
            <h2 className={styles.spot}>{spot}</h2>
            <Popover.Close asChild>
              <IconButton small label={t('common.close')} icon={<CloseIcon size={14} />} />
            </Popover.Close>
          </div>
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Sheet({ spot, anchor, onClose, children }: FrameProps): ReactNode {
  const { t } = useTranslation();
  const content = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.veil} />
        <Dialog.Content
          ref={content}
          aria-describedby={undefined}
          className={styles.sheet}
          onEscapeKeyDown={(event) => isInOpenList(event) && event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            const first = firstQuestion(content.current);
            // Focusing an input would open the on-screen keyboard, which covers the sheet.
            (first instanceof HTMLInputElement ? content.current : first)?.focus({
              preventScroll: true,
            });
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus(anchor);
          }}
        >
          <div className={styles.top}>
            <Dialog.Title className={styles.spot}>{spot}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton label={t('common.close')} icon={<CloseIcon />} />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The name that an admin has yet to type, else the button, so that Enter submits. */
function firstQuestion(content: HTMLElement | null): HTMLElement | null {
  const name = content?.querySelector<HTMLInputElement>('input[name="character_name"]');
  return name?.value === ''
    ? name
    : (content?.querySelector<HTMLElement>('[data-claim]') ?? content);
}

/** Without scrolling the page. */
function returnFocus(anchor: HTMLElement): void {
  const target =
    anchor.isConnected && anchor.tabIndex >= -1 ? anchor : document.querySelector('main');
  target?.focus({ preventScroll: true });
}
