import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './state-panels.module.css';
import type { SubmissionRefusal } from './submission-refusal.ts';
import { useShortDate } from './use-short-date.ts';

/** Says who may not submit and, where that is known, from when on. */
export function DisabledPanel({ refusal, memberType }: { refusal: SubmissionRefusal; memberType: string }): ReactNode {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  const text = {
    'switched-off': () => t('submit.disabled.event'),
    type: () => t('submit.disabled.type', { type: memberType }),
    'too-early': () =>
      t('submit.disabled.early', { type: memberType, date: refusal.because === 'too-early' ? shortDate(refusal.from) : '' }),
  }[refusal.because]();
  return (
    <div className={styles.narrow} role="status">
      <EmptyState
        title={t('submit.disabled.title')}
        text={text}
        action={
          <ButtonLink to="/" variant="primary">
            {t('submit.disabled.board')}
          </ButtonLink>
        }
      />
    </div>
  );
}
