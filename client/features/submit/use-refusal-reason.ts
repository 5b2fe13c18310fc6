import { useTranslation } from 'react-i18next';
import { useShortDate } from './form/use-short-date.ts';
import type { SubmissionRefusal } from './submission-refusal.ts';

/** Who may not submit and, where that is known, from when on; empty where nothing is refused. */
export function useRefusalReason(): (refusal: SubmissionRefusal | null, type: string) => string {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  return (refusal, type) => {
    switch (refusal?.because) {
      case 'switched-off':
        return t('errors.claim.submissionDisabled');
      case 'type':
        return t('submit.disabled.type', { type });
      case 'too-early':
        return t('submit.disabled.early', { type, date: shortDate(refusal.from) });
      case undefined:
        return '';
    }
  };
}
