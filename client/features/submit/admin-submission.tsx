import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { tidyName } from '../../../shared/rules/names.ts';
import { mayClaimSecondary } from '../../../shared/rules/secondary.ts';
import { endsSession } from '../../api/request.ts';
import { askedClaimantIn } from '../../lib/asked-claim.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { useClaimTime } from '../../state/permissions.ts';
import { dropAdmin } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import type { Claimant } from '../claiming/draft/submission-body.ts';
import styles from './form/claim-form.module.css';
import { ClaimForm } from './form/claim-form.tsx';
import { FormPage } from './form-page.tsx';
import { submissionRefusal, useRefusalReason } from './submission-refusal.ts';
import { SuccessPanel } from './success-panel.tsx';
import { useSubmissionRounds } from './use-submission-rounds.ts';

/** Section 9 of the specification: the member type to begin with. */
const NOBODY_YET: Claimant = { character_name: '', member_type: 'member', access_key: null };

/** Claims for any character and member type, also while members cannot submit. */
export function AdminSubmission(): ReactNode {
  const { t } = useTranslation();
  const time = useClaimTime(true);
  const event = useActiveEvent();
  const askedFor = askedClaimantIn(useLocation().state);
  const [claimant, setClaimant] = useState<Claimant>({ ...NOBODY_YET, ...askedFor });
  const type = claimant.member_type;
  const config = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const memberType = useBoard((board) => board.byKind.member_type.get(type));
  const { stored, setStored, formKey, first, asked, submitMore } = useSubmissionRounds(event, time);
  const reason = useRefusalReason()(submissionRefusal(config, memberType, time.today), type);

  if (stored) {
    const n = new Set(stored.map((claim) => claim.id)).size;
    const character = stored[0]?.character_name ?? tidyName(claimant.character_name);
    const more = (): void => {
      setClaimant(NOBODY_YET);
      submitMore();
    };
    return <SuccessPanel title={t('submit.admin.success', { n, character })} claims={stored} onMore={more} />;
  }
  return (
    <FormPage title={t('submit.admin.title')}>
      {reason ? (
        <Alert tone="accent" title={t('submit.admin.anyway')} className={styles.notice}>
          {reason}
        </Alert>
      ) : null}
      <ClaimForm
        key={formKey}
        claimant={claimant}
        onClaimant={setClaimant}
        event={event}
        voucher={memberType?.voucher_duration_hours ?? config?.voucher_duration_hours ?? 1}
        // Unless the type says explicitly that it may not.
        maySecondary={mayClaimSecondary(type, memberType?.allow_secondary_claims ?? 1)}
        closed={false}
        time={time}
        first={first}
        asked={asked}
        onSubmitted={setStored}
        onRefused={endRejectedSession}
      />
    </FormPage>
  );
}

/** A token that the server does not know any more leads to the login. */
function endRejectedSession(error: unknown): void {
  if (endsSession(error)) dropAdmin(error.code);
}
