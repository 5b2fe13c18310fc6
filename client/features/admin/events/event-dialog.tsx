import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../../shared/schemas/event.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { EventForm } from './event-form.tsx';

export function EventDialog({ shown, onClose }: { shown: 'new' | Event | null; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const title = shown === 'new' ? t('admin.events.form.createTitle') : t('admin.events.form.editTitle');
  return (
    <Dialog open={shown !== null} onOpenChange={onClose} title={title} wide>
      {shown === null ? null : <EventForm opened={shown === 'new' ? null : shown} onDone={onClose} />}
    </Dialog>
  );
}
