import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { dateInWords, formatLocale } from '../../lib/words/local-time.ts';
import type { Period } from './draft/claim-dates.ts';
import type { RuleRefusal } from './draft/refusal-of.ts';
import type { RowProblem } from './draft/row-check.ts';
import type { Taken } from './draft/taken.ts';

/** Who stands in the way, and what can be done. */
export function TakenText({ taken, isWholeEvent }: { taken: Taken; isWholeEvent: boolean }): ReactNode {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  const name = taken.character_name;
  const hours = t('time.range', { start: taken.hour_start, end: taken.hour_end });
  return isWholeEvent ? t('submit.takenByOn', { name, hours, date: shortDate(taken.date) }) : t('submit.takenBy', { name, hours });
}

/** A date in short words of the reader's language, such as "Sat 21 Nov". */
export function useShortDate(): (date: string) => string {
  const { i18n } = useTranslation();
  return (date) => dateInWords(date, formatLocale(i18n.language));
}

/** What a row is called: its date, or the days of the event that it covers. */
export function useRowName(): (view: { period: Period }, isWholeEvent: boolean) => string {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  return (view, isWholeEvent) => {
    const { first, last } = view.period;
    return isWholeEvent ? t('submit.event.period', { start: shortDate(first), end: shortDate(last) }) : shortDate(first);
  };
}

/** A refusal in the words that the server would answer, in the reader's language. */
export function useRefusalText(): (refusal: RuleRefusal) => string {
  const { t } = useTranslation();
  return ({ code, params }) => t(`errors.${code}`, { replace: params });
}

/** For whom hours are held where a date has no other claim than those; null: it has one. */
export const heldFor = (problem: RowProblem | null): string | null =>
  problem?.of === 'character-has-claim' ? (problem.held.find(({ held_for }) => held_for)?.held_for ?? null) : null;

/** What is wrong with a row. */
export function useProblemText(): (problem: RowProblem) => string {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  return (problem) => {
    switch (problem.of) {
      case 'character-has-claim': {
        const name = heldFor(problem);
        return name ? t('submit.heldFor', { name }) : t('errors.claim.characterHasClaim');
      }
      case 'hour-missing':
        return t('errors.claim.fieldsRequired');
      case 'conflict':
      case 'refused':
        return refusalText(problem.refusal);
    }
  };
}

/** The one line that says why a date keeps the claims from being submitted. */
export function useBlockedText(): (problem: RowProblem) => string {
  const { t } = useTranslation();
  const problemText = useProblemText();
  return (problem) => (problem.of === 'conflict' ? t('submit.timeConflict') : problemText(problem));
}
