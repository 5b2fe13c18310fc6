import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { mayClaimSecondary } from '../../../shared/rules/secondary.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { useClaimTime } from '../../state/permissions.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './form/claim-form.module.css';
import { ClaimForm } from './form/claim-form.tsx';
import { FormPage } from './form-page.tsx';
import panels from './state-panels.module.css';
import { type SubmissionRefusal, submissionRefusal, useRefusalReason } from './submission-refusal.ts';
import { SuccessPanel } from './success-panel.tsx';
import { useSubmissionRounds } from './use-submission-rounds.ts';

/** A member's own claims: the form, what was stored, or why there is none. */
export function MemberSubmission({ profile }: { profile: Profile }): ReactNode {
  const { t } = useTranslation();
  const time = useClaimTime(false);
  const event = useActiveEvent();
  const config = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const memberType = useBoard((board) => board.byKind.member_type.get(profile.memberType));
  const { stored, setStored, formKey, first, asked, submitMore } = useSubmissionRounds(event, time);
  const refusal = submissionRefusal(config, memberType, time.today);
  const reason = useRefusalReason()(refusal, profile.memberType);
  /** The form was open once: what was chosen in it must not be lost, whatever an admin switches off meanwhile. */
  const [wasOpen, setWasOpen] = useState(false);
  if (!refusal && !wasOpen) setWasOpen(true);

  if (stored) return <SuccessPanel title={t('submit.success.title')} claims={stored} onMore={submitMore} />;
  if (refusal && !wasOpen) return <DisabledPanel refusal={refusal} memberType={profile.memberType} />;
  return (
    <FormPage title={t('submit.title')}>
      {refusal ? (
        <Alert tone="bad" title={t('submit.disabled.title')} className={styles.notice}>
          <p>{reason}</p>
          <p>{t('submit.disabled.kept')}</p>
        </Alert>
      ) : null}
      <ClaimForm
        key={formKey}
        claimant={{ character_name: profile.characterName, member_type: profile.memberType, access_key: profile.accessKey }}
        event={event}
        voucher={memberType?.voucher_duration_hours ?? config?.voucher_duration_hours ?? 1}
        maySecondary={mayClaimSecondary(profile.memberType, memberType?.allow_secondary_claims ?? 0)}
        closed={refusal !== null}
        time={time}
        first={first}
        asked={asked}
        onSubmitted={setStored}
      />
    </FormPage>
  );
}

/** Submission is off, and there is no form yet to keep. */
function DisabledPanel({ refusal, memberType }: { refusal: SubmissionRefusal; memberType: string }): ReactNode {
  const { t } = useTranslation();
  const reason = useRefusalReason()(refusal, memberType);
  return (
    <div className={panels.narrow} role="status">
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
