import { useTranslation } from 'react-i18next';
import type { RuleRefusal } from '../state/refusal-of.ts';
import type { RowProblem } from '../state/row-check.ts';

/** A refusal in the words that the server would answer, in the reader's language. */
export function useRefusalText(): (refusal: RuleRefusal) => string {
  const { t } = useTranslation();
  return ({ code, params }) => t(`errors.${code}`, { replace: params });
}

/** What is wrong with a row. */
export function useProblemText(): (problem: RowProblem) => string {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  return (problem) => {
    switch (problem.of) {
      case 'character-has-claim':
        return t('errors.claim.characterHasClaim');
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
