import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../../../shared/schemas/event.ts';
import type { EventCopied } from '../../../../../shared/schemas/event-copy.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { ClaimsToCopy } from './claims-to-copy.tsx';
import { Overlaps } from './overlaps.tsx';

interface BeforeNextProps {
  name: string;
  /** What would be made. */
  preview: EventCopied;
  overlaps: readonly Event[];
  isBusy: boolean;
  onCreate: () => void;
  onClose: () => void;
}

/** Asks before an event is made of a template that shares dates with another one, or leaves claims behind. */
export function BeforeNext({ name, preview, overlaps, isBusy, onCreate, onClose }: BeforeNextProps): ReactNode {
  const { t } = useTranslation();
  const { copied, left_out, claims } = preview;
  const said = [t('admin.events.next.coming', { count: copied }), left_out > 0 ? t('admin.events.next.staying', { count: left_out }) : ''];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      busy={isBusy}
      wide={claims.length > 0}
      title={t('admin.events.next.confirmCreate', { name })}
      description={claims.length > 0 ? said.join(' ') : undefined}
      actions={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button variant="primary" busy={isBusy} onClick={onCreate}>
            {claims.length > 0 ? t('admin.events.next.createWith', { count: copied }) : t('admin.events.form.create')}
          </Button>
        </>
      }
    >
      <Overlaps events={overlaps} />
      {copied > 1 ? <p>{t('admin.notifications.oneMessage')}</p> : null}
      {left_out > 0 ? <ClaimsToCopy claims={claims.filter(({ refusal }) => refusal !== null)} /> : null}
    </Dialog>
  );
}
