import { useTranslation } from 'react-i18next';
import type { ActivationAnswer, ActiveEvent, Event } from '../../../../shared/schemas/event.ts';
import { activateEvent, deleteEvent, getActivation } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { confirm } from '../../../state/overlays.ts';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';

interface NewActiveEvent {
  event: Event;
  /** The event that was active before. */
  former: ActiveEvent | null;
}

/**
 * Reports a new event that is active at once, with an undo, and offers the claims on its dates to it. They are counted only now:
 * before, the event had no id to ask for.
 */
export function useReportActive(): (created: NewActiveEvent, text: string) => void {
  const { t } = useTranslation();
  const offerClaims = useOfferClaims();
  const undo = useUndoNew();
  return (created, text) => {
    showToast({
      text,
      detail: t('admin.events.activated'),
      action: { label: t('board.quickClaim.undo'), onPress: () => undo(created) },
    });
    offerClaims(created.event);
  };
}

function useOfferClaims(): (event: Event) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offer = ({ id, name }: Event, { outside, fitting }: ActivationAnswer): void => {
    const count = t('admin.events.outside.count', { count: outside });
    if (outside === 0) return;
    if (fitting === 0) {
      showToast({ text: count, detail: t('admin.events.outside.noneFits') });
      return;
    }
    confirm({
      harmless: true,
      title: t('admin.events.outside.title', { name }),
      text: `${count} ${t('admin.events.outside.text')}`,
      confirmLabel: t('admin.events.outside.take', { count: fitting }),
      onConfirm: async () => void (await activateEvent(id, true)),
      errorText,
    });
  };
  const count = useAction({
    work: ({ id }: Event) => getActivation(id),
    done: (answer, event) => offer(event, answer),
  });
  return count.run;
}

/** Deletes the new event and activates the former one again, unless another admin or a claim came in between. */
function useUndoNew(): (created: NewActiveEvent) => void {
  const { t } = useTranslation();
  const back = useAction({
    work: async ({ former }: NewActiveEvent) => former && (await activateEvent(former.id, false)),
    done: (_former, created) => remove.run(created),
    failed: (reason, { event: { name } }) =>
      `${t('admin.events.undoNew.failed', { name })}: ${reason}`,
  });
  const remove = useAction({
    work: ({ event: { id } }: NewActiveEvent) => deleteEvent(id),
    done: () => showToast({ text: t('admin.events.deleted') }),
    failed: (reason, { event: { name }, former }) =>
      former
        ? `${t('admin.events.undoNew.onlyFormer', { former: former.name, name })}: ${reason}`
        : `${t('admin.events.undoNew.failed', { name })}: ${reason}`,
  });
  return (created) => {
    const { id, name, claim_count } = created.event;
    const now = useBoard.getState().byKind.event.get(id);
    if (now?.is_active && now.claim_count <= claim_count) back.run(created);
    else showToast({ tone: 'bad', text: t('admin.events.undoNew.changed', { name }) });
  };
}
