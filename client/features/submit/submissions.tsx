import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { nameKey, tidyName } from '../../../shared/rules/names.ts';
import { mayClaimSecondary } from '../../../shared/rules/secondary.ts';
import { endsSession } from '../../api/request.ts';
import { keptClaimantIn } from '../../lib/claim-request.ts';
import type { RuleRefusal } from '../../lib/refusal.ts';
import { useDayText } from '../../lib/time-text.ts';
import { useReadMemberTypes } from '../../live/read-member-types.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { type Claimant, isNamed, UNNAMED } from '../../state/claim-draft.ts';
import { useClaimTime } from '../../state/claim-time.ts';
import { claimableRefusal } from '../../state/claimable.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { dropAdmin, useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useRefusalText } from '../claiming/words.ts';
import styles from './claim-form.module.css';
import { ClaimForm } from './claim-form.tsx';
import { dropKeptForm } from './kept-form.ts';
import { useKeptForm, useSubmissionRounds } from './submission-rounds.ts';
import { SuccessPanel } from './success-panel.tsx';

/** A member's form, the stored claims after it, or why there is none. */
export function MemberSubmission({ profile }: { profile: Profile }): ReactNode {
  const { t } = useTranslation();
  const time = useClaimTime(false);
  const event = useActiveEvent();
  const config = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const memberType = useBoard((board) => board.byKind.member_type.get(profile.memberType));
  const claimant = {
    character_name: profile.characterName,
    member_type: profile.memberType,
    access_key: profile.accessKey,
  };
  const { stored, formKey, form, submitMore, changeAgain } = useSubmissionRounds({
    of: `member ${nameKey(profile.characterName)}`,
    claimant,
    event,
    time,
  });
  const refusal = claimableRefusal(useBoard(), claimant, { date: null, time });
  const reason = useReason()(refusal);
  /** Keeps an open form and its input, even if an admin disables claiming. */
  const [wasOpen, setWasOpen] = useState(false);
  if (!refusal && !wasOpen) setWasOpen(true);

  if (stored) {
    return (
      <SuccessPanel
        title={t('submit.success.title')}
        claims={stored}
        access_key={profile.accessKey}
        onMore={submitMore}
        onUndone={changeAgain}
      />
    );
  }
  if (refusal && !wasOpen) return <DisabledPanel refusal={refusal} />;
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
        {...form}
        claimant={claimant}
        event={event}
        voucher={memberType?.voucher_duration_hours ?? config?.voucher_duration_hours ?? 1}
        maySecondary={mayClaimSecondary(
          profile.memberType,
          memberType?.allow_secondary_claims ?? 0,
        )}
        closed={refusal && reason}
        time={time}
      />
    </FormPage>
  );
}

/** In place of the form while submission is off. */
function DisabledPanel({ refusal }: { refusal: RuleRefusal }): ReactNode {
  const { t } = useTranslation();
  const reason = useReason()(refusal);
  return (
    <div className="narrow-page" role="status">
      <EmptyState
        title={t('submit.disabled.title')}
        text={refusal.code === 'claim.submissionDisabled' ? t('submit.disabled.event') : reason}
        action={
          <ButtonLink to="/" variant="primary">
            {t('submit.disabled.board')}
          </ButtonLink>
        }
      />
    </div>
  );
}

/** Claims for any character and member type, also while members cannot submit. */
export function AdminSubmission(): ReactNode {
  useReadMemberTypes();
  const { t } = useTranslation();
  const time = useClaimTime(true);
  const event = useActiveEvent();
  const requested = keptClaimantIn(useLocation().state);
  const of = useSession((session) => `admin ${session.admin?.username ?? ''}`);
  const findKept = useKeptForm(of, event);
  // The kept form with its own claimant, else a new one for the requested claimant: never one with the other's choices.
  const [claimant, setClaimant] = useState<Claimant>(() => ({
    ...UNNAMED,
    ...(findKept()?.claimant ?? requested),
  }));
  const type = claimant.member_type;
  const config = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const memberType = useBoard((board) => board.byKind.member_type.get(type));
  const { stored, formKey, form, submitMore, changeAgain } = useSubmissionRounds({
    of,
    claimant,
    event,
    time,
  });
  const reason = useReason(true)(
    claimableRefusal(
      useBoard(),
      { ...claimant, access_key: '' },
      { date: null, time: { ...time, may_enter_past: false } },
    ),
  );

  if (stored) {
    const n = new Set(stored.map((claim) => claim.id)).size;
    const character = stored[0]?.character_name ?? tidyName(claimant.character_name);
    const more = (): void => {
      setClaimant(UNNAMED);
      submitMore();
    };
    return (
      <SuccessPanel
        title={t('submit.admin.success', { n, character })}
        claims={stored}
        access_key={null}
        onMore={more}
        onUndone={changeAgain}
      />
    );
  }
  return (
    <FormPage title={t('submit.admin.title')}>
      {reason ? (
        <Alert tone="accent" title={t('submit.admin.overridesClosed')} className={styles.notice}>
          {reason}
        </Alert>
      ) : null}
      <ClaimForm
        key={formKey}
        {...form}
        claimant={claimant}
        onClaimant={(next) => {
          // A name that was typed and removed again leaves nothing to keep.
          if (!isNamed(next)) dropKeptForm();
          setClaimant(next);
        }}
        onStartOver={
          form.onStartOver &&
          (() => {
            setClaimant(UNNAMED);
            form.onStartOver?.();
          })
        }
        event={event}
        voucher={memberType?.voucher_duration_hours ?? config?.voucher_duration_hours ?? 1}
        // Allowed unless the type forbids it.
        maySecondary={mayClaimSecondary(type, memberType?.allow_secondary_claims ?? 1)}
        closed={null}
        time={time}
        onRefused={endRejectedSession}
      />
    </FormPage>
  );
}

/** A rejected token leads to the login. */
function endRejectedSession(error: unknown): void {
  if (endsSession(error)) dropAdmin(error.code);
}

/** R4.15: why members of the type are refused and, if known, from when they may submit; empty if they may. */
function useReason(isAdmin = false): (refusal: RuleRefusal | null) => string {
  const { t } = useTranslation();
  const dayText = useDayText();
  const refusalText = useRefusalText();
  return (refusal) => {
    if (!refusal) return '';
    const { code, params } = refusal;
    const type = String(params.type);
    if (code === 'claim.typeMayNotSubmit' && isAdmin)
      return t('submit.disabled.typeForAdmin', { type });
    if (code === 'claim.beforeEarliestDate')
      return t('submit.disabled.tooEarly', { type, date: dayText(String(params.date)) });
    return refusalText(refusal);
  };
}

export function FormPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  );
}
