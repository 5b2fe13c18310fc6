import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventCopied } from '../../../../../shared/schemas/event-copy.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { ClaimsToCopy } from './claims-to-copy.tsx';

/** What stayed behind, once an event was made. */
export function LeftOut({ copied: { claims, left_out, gone }, onClose }: { copied: EventCopied; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title={t('admin.events.next.leftOutTitle')}
      description={[
        left_out > 0 ? t('admin.events.next.staying', { count: left_out }) : '',
        gone > 0 ? t('admin.events.next.gone', { count: gone }) : '',
      ].join(' ')}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      {claims.length > 0 ? <ClaimsToCopy claims={claims} /> : null}
    </Dialog>
  );
}
