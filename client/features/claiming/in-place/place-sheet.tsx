import * as Radix from 'radix-ui/dialog';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { IconButton } from '../../../ui/button.tsx';
import { CloseIcon } from '../../../ui/icons.tsx';
import { HoursHandles } from './hours-handles.tsx';
import styles from './place.module.css';
import { type AskingProps, PlacePanel } from './place-panel.tsx';
import { firstQuestion, giveBackFocus } from './place-popover.tsx';
import { changePlacing, stopPlacing } from './placing.ts';

/** At the bottom of a phone: the proposed hours, with a handle at either end, and one button. */
export function PlaceSheet({ placing, claim }: AskingProps): ReactNode {
  const { t } = useTranslation();
  const { respawn_id, anchor } = placing;
  const { hours, limits, taken, submission, forget } = claim;
  const spot = useBoard((board) => board.byKind.respawn.get(respawn_id));
  const content = useRef<HTMLDivElement>(null);
  const isSent = submission.status === 'busy' || submission.status === 'unsure';
  return (
    <Radix.Root open onOpenChange={(open) => !open && stopPlacing()}>
      <Radix.Portal>
        <Radix.Overlay className={styles.veil} />
        <Radix.Content
          ref={content}
          aria-describedby={undefined}
          className={styles.sheet}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            // A keyboard that opens by itself would cover the sheet.
            const first = firstQuestion(content.current);
            (first instanceof HTMLInputElement ? content.current : first)?.focus({ preventScroll: true });
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveBackFocus(anchor);
          }}
        >
          <div className={styles.top}>
            <Radix.Title className={styles.spot}>{spot?.name}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={t('common.close')} icon={<CloseIcon />} />
            </Radix.Close>
          </div>
          <PlacePanel placing={placing} claim={claim}>
            {hours ? (
              <HoursHandles
                date={placing.date}
                hours={hours}
                limits={limits}
                taken={taken}
                disabled={isSent}
                onChange={(range) => {
                  forget();
                  changePlacing({ range });
                }}
              />
            ) : null}
          </PlacePanel>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
