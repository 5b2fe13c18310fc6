import { useTranslation } from 'react-i18next';
import type { EventCopied } from '../../../../../shared/schemas/event-copy.ts';
import { deleteEvent, setEventActive } from '../../../../api/calls.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { showToast, type ToastAction } from '../../../../ui/toast.tsx';

/** Says what was made, and offers what one does next: activate it, or take it back. */
export function useAfterCopy(): (copied: EventCopied) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const deed = (label: string, done: string, failed: (reason: string) => string, work: () => Promise<unknown>): ToastAction => ({
    label,
    onPress: () => {
      work().then(
        () => showToast({ text: done }),
        (error: unknown) => showToast({ tone: 'bad', text: failed(errorText(error)) }),
      );
    },
  });
  return ({ event, copied, left_out, gone }) => {
    if (!event) return;
    const { id, name } = event;
    const left = left_out + gone;
    const said = t(copied > 0 ? 'admin.events.next.createdWith' : 'admin.events.next.created', { name, count: copied });
    const text = left > 0 ? `${said} ${t('admin.events.next.leftOutOf', { count: left })}` : said;
    const activate = deed(
      t('admin.events.activate'),
      t('admin.events.activated'),
      (reason) => t('admin.events.activateFailed', { reason }),
      () => setEventActive(id, true),
    );
    const undo = deed(
      t('admin.activity.undo'),
      t('admin.events.deleted'),
      (reason) => t('admin.events.deleteFailed', { reason }),
      () => deleteEvent(id),
    );
    showToast({ text, actions: [activate, undo] });
  };
}
