import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './state-panels.module.css';
import type { SubmissionRefusal } from './submission-refusal.ts';
import { useRefusalReason } from './use-refusal-reason.ts';

/** Submission is off, and there is no form yet to keep. */
export function DisabledPanel({ refusal, memberType }: { refusal: SubmissionRefusal; memberType: string }): ReactNode {
  const { t } = useTranslation();
  const reason = useRefusalReason()(refusal, memberType);
  return (
    <div className={styles.narrow} role="status">
      <EmptyState
        title={t('submit.disabled.title')}
        text={refusal.because === 'switched-off' ? t('submit.disabled.event') : reason}
        action={
          <ButtonLink to="/" variant="primary">
            {t('submit.disabled.board')}
          </ButtonLink>
        }
      />
    </div>
  );
}
