import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type EventPeriod, periodsOverlap } from '../../../../shared/rules/event-period.ts';
import type { ActiveEvent, Event } from '../../../../shared/schemas/event.ts';
import type { EventCopied } from '../../../../shared/schemas/event-copy.ts';
import { deleteEvent } from '../../../api/admin-calls.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { ClaimOutcomes } from './claim-outcomes.tsx';
import { useAskToActivate } from './event-row.tsx';
import { usePeriodText } from './event-values.ts';
import { useReportActive } from './report-active.ts';

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

/** Reports a created event. One that is not active has buttons to activate it and to undo it. */
export function useAfterCopy(): (copied: EventCopied, former: ActiveEvent | null) => void {
  const { t } = useTranslation();
  const reportActive = useReportActive();
  const askToActivate = useAskToActivate();
  const undo = useAction({
    work: ({ id }: Event) => deleteEvent(id),
    done: () => showToast({ text: t('admin.events.deleted') }),
    failed: (reason) => `${t('admin.events.deleteFailed')}: ${reason}`,
  });
  return ({ event, copied, left_out, gone }, former) => {
    if (!event) return;
    const left = left_out + gone;
    const title = t(copied > 0 ? 'admin.events.copy.createdWith' : 'admin.events.copy.created', {
      name: event.name,
      count: copied,
    });
    const text =
      left > 0 ? `${title} ${t('admin.events.copy.skippedCount', { count: left })}` : title;
    if (event.is_active) return reportActive({ event, former }, text);
    showToast({
      text,
      actions: [
        { label: t('admin.events.activate'), onPress: () => askToActivate(event) },
        { label: t('board.quickClaim.undo'), onPress: () => undo.run(event) },
      ],
    });
  };
}
