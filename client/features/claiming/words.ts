import { useTranslation } from 'react-i18next';
import { pluralCount } from '../../../shared/errors.ts';
import { eventDate, eventTimeStatus } from '../../../shared/rules/event-period.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import type { RuleRefusal } from '../../lib/refusal.ts';
import { useDayText } from '../../lib/time-text.ts';

/** A refusal in the server's words, in the reader's language; in better ones where no hours were asked for. */
export function useRefusalText(): (refusal: RuleRefusal) => string {
  const { t } = useTranslation();
  return ({ code, params }) => {
    if (code === 'claim.typeMayNotSubmit' && params.type !== undefined)
      return t('submit.disabled.type', { replace: params });
    if (code === 'budget.event' && params.left === 0)
      return t('submit.summary.budgetEvent', { replace: params });
    return t(`errors.${code}`, { replace: params, ...pluralCount(params) });
  };
}

/** While the active event has not begun: from when on its days are, which alone can be claimed. Else null. */
export function useUpcomingText(): (event: ActiveEvent | null, today: string) => string | null {
  const { t } = useTranslation();
  const dayText = useDayText();
  return (event, today) =>
    event && eventTimeStatus(event, today) === 'upcoming'
      ? t('board.eventUpcoming', { event: event.name, date: dayText(eventDate(event.start_time)) })
      : null;
}
