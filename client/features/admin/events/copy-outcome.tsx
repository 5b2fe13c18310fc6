import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type EventPeriod, periodsOverlap } from '../../../../shared/rules/event-period.ts';
import type { ActiveEvent, Event } from '../../../../shared/schemas/event.ts';
import type { EventCopied } from '../../../../shared/schemas/event-copy.ts';
import { activateEvent, deleteEvent } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { showToast, type ToastAction } from '../../../ui/toast.tsx';
import { ClaimOutcomes } from './claim-outcomes.tsx';
import { usePeriodText } from './event-values.ts';

const MAX_NAMED = 3;

export function useOverlaps(period: EventPeriod | null): Event[] {
  const events = useBoard((board) => board.byKind.event);
  if (!period) return [];
  return [...events.values()]
    .filter((event) => periodsOverlap(event, period))
    .sort((a, b) => (a.start_time < b.start_time ? -1 : 1));
}

/** Warns about events on the same dates: hours of copied claims may be taken there. */
export function Overlaps({ events }: { events: readonly Event[] }): ReactNode {
  const { t, i18n } = useTranslation();
  const periodText = usePeriodText();
  if (events.length === 0) return null;
  const named = events
    .slice(0, MAX_NAMED)
    .map(
      ({ name, start_time, end_time }) =>
        `${name} (${periodText({ start_time, end_time }, 'day')})`,
    );
  const more = events.length - named.length;
  const list = new Intl.ListFormat(i18n.language, {
    type: more > 0 ? 'unit' : 'conjunction',
  }).format(named);
  return (
    <Alert tone="accent">
      {t('admin.events.copy.overlaps', { list })}
      {more > 0 ? ` ${t('admin.events.copy.overlapsMore', { count: more })}` : null}
    </Alert>
  );
}

export function LeftOut({
  copied: { claims, left_out, gone },
  onClose,
}: {
  copied: EventCopied;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title={t('admin.events.copy.skippedTitle')}
      description={[
        left_out > 0 ? t('admin.events.copy.skipped', { count: left_out }) : '',
        gone > 0 ? t('admin.events.copy.deletedSince', { count: gone }) : '',
      ].join(' ')}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      {claims.length > 0 ? <ClaimOutcomes claims={claims} /> : null}
    </Dialog>
  );
}

/**
 * Reports a created event, with buttons to activate it, unless it is active, and to undo it.
 * The undo of an active one activates the former one again.
 */
export function useAfterCopy(): (copied: EventCopied, former?: ActiveEvent | null) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const action = (
    label: string,
    done: string,
    failed: string,
    work: () => Promise<unknown>,
  ): ToastAction => ({
    label,
    onPress: () => {
      work().then(
        () => showToast({ text: done }),
        (error: unknown) => showToast({ tone: 'bad', text: failed, detail: errorText(error) }),
      );
    },
  });
  return ({ event, copied, left_out, gone }, former = null) => {
    if (!event) return;
    const { id, name } = event;
    const left = left_out + gone;
    const title = t(copied > 0 ? 'admin.events.copy.createdWith' : 'admin.events.copy.created', {
      name,
      count: copied,
    });
    const text =
      left > 0 ? `${title} ${t('admin.events.copy.skippedCount', { count: left })}` : title;
    const activate = action(
      t('admin.events.activate'),
      t('admin.events.activated'),
      t('admin.events.activateFailed'),
      () => activateEvent(id, false),
    );
    const undo = action(
      t('board.quickClaim.undo'),
      t('admin.events.deleted'),
      t('admin.events.deleteFailed'),
      async () => {
        await deleteEvent(id);
        if (event.is_active && former) await activateEvent(former.id, false);
      },
    );
    if (event.is_active) showToast({ text, detail: t('admin.events.activated'), actions: [undo] });
    else showToast({ text, actions: [activate, undo] });
  };
}
