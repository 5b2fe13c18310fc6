import { useTranslation } from 'react-i18next';
import type { Config } from '../../../shared/schemas/config.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import { useShortDate } from '../claiming/claim-words.tsx';

/** Why nobody of a member type can submit at the moment. */
export type SubmissionRefusal = { because: 'switched-off' } | { because: 'type' } | { because: 'too-early'; from: string };

/** R4.2 to R4.4, as the server goes by them; a member type that no longer exists may submit. */
export function submissionRefusal(config: Config | undefined, memberType: MemberType | undefined, today: string): SubmissionRefusal | null {
  if (config && !config.submission_enabled) return { because: 'switched-off' };
  if (!memberType) return null;
  if (memberType.can_submit !== 1) return { because: 'type' };
  const from = memberType.earliest_submission_date;
  return today < from ? { because: 'too-early', from } : null;
}

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
