import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { CONFIG_ID } from '../../../shared/live.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { useBoard } from '../../store/board-store.ts';
import { useServerSaveTime } from '../../store/clock.ts';
import type { Profile } from '../../store/saved-profiles.ts';
import { useSession } from '../../store/session-store.ts';
import styles from './claim-form.module.css';
import { ClaimForm } from './claim-form.tsx';
import { DisabledPanel } from './disabled-panel.tsx';
import { firstChoice } from './first-choice.ts';
import { FormSkeleton } from './form-skeleton.tsx';
import { RedirectNotice } from './redirect-notice.tsx';
import { submissionRefusal } from './submission-refusal.ts';
import { SuccessPanel } from './success-panel.tsx';
import { useActiveEvent } from './use-active-event.ts';

/** Claim submission for a verified member: loading, not signed in, switched off, the form, or what was stored. */
export function SubmitPage(): ReactNode {
  const { t } = useTranslation();
  usePageTitle(t('submit.title'));
  const isChecked = useSession((session) => session.status === 'ready');
  const profile = useSession((session) => session.current);
  const isBoardHere = useBoard((board) => board.status === 'ready');
  if (isChecked && !profile) return <RedirectNotice />;
  if (profile && isBoardHere) return <MemberSubmission profile={profile} />;
  return (
    <FormPage>
      <FormSkeleton />
    </FormPage>
  );
}

function FormPage({ children }: { children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{t('submit.title')}</h1>
      {children}
    </div>
  );
}

function MemberSubmission({ profile }: { profile: Profile }): ReactNode {
  const [query, setQuery] = useSearchParams();
  const { date: today } = useServerSaveTime();
  const event = useActiveEvent();
  const config = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const memberType = useBoard((board) => board.byKind.member_type.get(profile.memberType));
  const [stored, setStored] = useState<readonly ClaimRow[] | null>(null);
  /** Counts the forms of this page: each begins empty. */
  const [forms, setForms] = useState(0);

  const submitMore = (): void => {
    setStored(null);
    setForms(forms + 1);
    setQuery({}, { replace: true });
  };

  if (stored) return <SuccessPanel claims={stored} onMore={submitMore} />;
  const refusal = submissionRefusal(config, memberType, today);
  if (refusal) return <DisabledPanel refusal={refusal} memberType={profile.memberType} />;
  return (
    <FormPage>
      <ClaimForm
        // Another spot chosen on the board, or an event of the other kind, is another form.
        key={`${forms} ${query} ${event?.type === 'single_claim' ? event.id : ''}`}
        profile={profile}
        event={event}
        voucher={memberType?.voucher_duration_hours ?? config?.voucher_duration_hours ?? 1}
        today={today}
        first={firstChoice(query, event, today)}
        onSubmitted={setStored}
      />
    </FormPage>
  );
}
