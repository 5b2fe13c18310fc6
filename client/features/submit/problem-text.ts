import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../shared/rules/event-period.ts';
import type { RowProblem } from './row-check.ts';

/** What is wrong with a row, in the words of the refusal that the server would answer. */
export function useProblemText(): (problem: RowProblem, date: string, isWholeEvent: boolean) => string {
  const { t } = useTranslation();
  return (problem, date, isWholeEvent) => {
    switch (problem.of) {
      case 'outside-event': {
        const { start_time, end_time } = problem.event;
        return t('errors.claim.dateOutsideEvent', { date, start: eventDate(start_time), end: eventDate(end_time) });
      }
      case 'character-has-claim':
        return t('errors.claim.characterHasClaim');
      case 'hour-missing':
        return t('errors.claim.fieldsRequired');
      case 'exceeds-day':
        return t('errors.claim.exceedsDay', { hour: problem.hour, duration: problem.duration });
      case 'conflict':
        return t(isWholeEvent ? 'errors.claim.timeConflictInEvent' : 'errors.claim.timeConflict', {
          date: problem.taken.date,
          hour: problem.hour,
        });
    }
  };
}

/** The one line that says why a date keeps the claims from being submitted. */
export function useBlockedText(): (problem: RowProblem, date: string) => string {
  const { t } = useTranslation();
  const problemText = useProblemText();
  return (problem, date) => (problem.of === 'conflict' ? t('submit.timeConflict') : problemText(problem, date, false));
}
