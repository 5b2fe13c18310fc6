import * as Dialog from 'radix-ui/dialog';
import * as Popover from 'radix-ui/popover';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { type AskedWait, stopAskingToWait } from '../../../state/asked-wait.ts';
import { useBoard } from '../../../state/board-store.ts';
import { IconButton } from '../../../ui/button.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import { MEDIA } from '../../../ui/media.ts';
import { hideTip } from '../../../ui/tooltip.tsx';
import { claimantsNow } from '../in-place/claimants.ts';
import { boxOf } from '../in-place/hours-box.ts';
import place from '../in-place/place.module.css';
import { giveBackFocus } from '../in-place/place-popover.tsx';
import { WaitPanel } from './wait-panel.tsx';

interface WaitHostProps {
  asked: AskedWait;
}

/** Waiting for hours that were pressed: beside them, or at the bottom of a phone. Whoever has no character here is led to the login. */
export function WaitHost({ asked }: WaitHostProps): ReactNode {
  const [first] = claimantsNow();
  const isCoarse = useMediaQuery(MEDIA.touch);
  // The tip that was shown on what was pressed would lie on what is asked.
  useEffect(hideTip, []);
  if (!first) return <ToLogin />;
  const Around = isCoarse ? Sheet : Beside;
  return (
    <Around asked={asked}>
      <WaitPanel asked={asked} first={first} />
    </Around>
  );
}

function ToLogin(): null {
  const navigate = useNavigate();
  useEffect(() => {
    stopAskingToWait();
    void navigate('/login?type=access-key');
  }, [navigate]);
  return null;
}

type AroundProps = WaitHostProps & { children: ReactNode };

const onOpenChange = (open: boolean): void => {
  if (!open) stopAskingToWait();
};

/** The first question is whose wait it is where that is open, else the button: Enter presses it. */
function focusFirst(content: HTMLElement | null, isTouch: boolean): void {
  const name = content?.querySelector<HTMLInputElement>('input[name="character_name"]');
  const button = content?.querySelector<HTMLElement>('[data-claim]');
  // A keyboard that opens by itself would cover the sheet.
  (name?.value === '' ? (isTouch ? content : name) : (button ?? content))?.focus({ preventScroll: true });
}

function Beside({ asked: { respawn_id, anchor }, children }: AroundProps): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(respawn_id)?.name ?? '');
  const content = useRef<HTMLDivElement>(null);
  // The card may have been drawn anew meanwhile.
  const virtual = useRef({
    getBoundingClientRect: () => (anchor.isConnected ? anchor : (boxOf(respawn_id) ?? document.body)).getBoundingClientRect(),
  });
  return (
    <Popover.Root open onOpenChange={onOpenChange}>
      <Popover.Anchor virtualRef={virtual} />
      <Popover.Portal>
        <Popover.Content
          ref={content}
          aria-label={t('board.wait.forSpot', { spot })}
          sideOffset={8}
          collisionPadding={8}
          className={place.popover}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            focusFirst(content.current, false);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveBackFocus(anchor);
          }}
        >
          <div className={place.top}>
            <h2 className={place.spot}>{spot}</h2>
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

function Sheet({ asked: { respawn_id, anchor }, children }: AroundProps): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(respawn_id)?.name ?? '');
  const content = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={place.veil} />
        <Dialog.Content
          ref={content}
          aria-label={t('board.wait.forSpot', { spot })}
          aria-describedby={undefined}
          className={place.sheet}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            focusFirst(content.current, true);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveBackFocus(anchor);
          }}
        >
          <div className={place.top}>
            <Dialog.Title className={place.spot}>{spot}</Dialog.Title>
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
