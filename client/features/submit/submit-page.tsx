import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router-dom';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import type { ClaimTime } from '../../../shared/rules/claim-time.ts';
import { nameKey, tidyName } from '../../../shared/rules/names.ts';
import { mayClaimSecondary } from '../../../shared/rules/secondary.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { endsSession } from '../../api/request.ts';
import { keepRequest, keptClaimantIn } from '../../lib/claim-request.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { returnTo } from '../../lib/return-to.ts';
import { useDayText } from '../../lib/time-text.ts';
import { refreshBoard, useLoadFailure } from '../../live/refresh.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { useClaimsForOthers, useClaimTime, useMay } from '../../state/permissions.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { dropAdmin, useSession } from '../../state/session-store.ts';
import { Alert, FailedLoad } from '../../ui/alert.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { mayClaimOn, type RuleRefusal, submitterRefusal } from '../claiming/draft/check.ts';
import { type Claimant, isNamed, UNNAMED } from '../claiming/draft/draft.ts';
import { useRefusalText } from '../claiming/words.ts';
import styles from './claim-form.module.css';
import { ClaimForm, type ClaimFormProps } from './claim-form.tsx';
import { dropKeptForm, type FormState, firstChoice, type KeptForm, keepForm, keptForm } from './form-state.ts';
import panels from './state-panels.module.css';
import { SuccessPanel } from './success-panel.tsx';

/** Claim submission for a member: loading, not signed in, switched off, the form, or the stored claims. */
export function SubmitPage(): ReactNode {
  const { t } = useTranslation();
  const title = t('submit.title');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  const profile = useSession((session) => session.current);
  const claimsForOthers = useClaimsForOthers();
  const isAdmin = useSession((session) => session.admin !== null);
  const isBoardHere = useBoard((board) => board.status === 'ready');
  const { search } = useLocation();
  if (isChecked && claimsForOthers) return <Navigate to={`/admin/input${search}`} replace />;
  if (isChecked && !profile) return isAdmin ? <NoCharacter /> : <RedirectNotice />;
  return profile && isBoardHere ? <MemberSubmission key={profile.characterName} profile={profile} /> : <LoadingPage title={title} />;
}

/** The same for an admin, who submits for any character. */
export function AdminInputPage(): ReactNode {
  const { t } = useTranslation();
  const title = t('submit.admin.title');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  const isAdmin = useSession((session) => session.admin !== null);
  const isBoardHere = useBoard((board) => board.status === 'ready');
  const location = useLocation();
  const mayClaim = useMay('claims');
  if (isChecked && !isAdmin) return <Navigate to="/admin/login" replace state={returnTo(location)} />;
  if (isChecked && !mayClaim) return <Navigate to="/admin/dashboard" replace />;
  return isChecked && isBoardHere ? <AdminSubmission /> : <LoadingPage title={title} />;
}

function MemberSubmission({ profile }: { profile: Profile }): ReactNode {
  const { t } = useTranslation();
  const time = useClaimTime(false);
  const event = useActiveEvent();
  const config = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const memberType = useBoard((board) => board.byKind.member_type.get(profile.memberType));
  const claimant = { character_name: profile.characterName, member_type: profile.memberType, access_key: profile.accessKey };
  const { stored, formKey, form, submitMore, changeAgain } = useSubmissionRounds({ of: profile.accessKey, claimant, event, time });
  const refusal = submitterRefusal(config, memberType, time.today);
  const reason = useReason()(refusal, profile.memberType);
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
        {...form}
        claimant={claimant}
        event={event}
        voucher={memberType?.voucher_duration_hours ?? config?.voucher_duration_hours ?? 1}
        maySecondary={mayClaimSecondary(profile.memberType, memberType?.allow_secondary_claims ?? 0)}
        closed={refusal && reason}
        time={time}
      />
    </FormPage>
  );
}

/** In place of the form while submission is off. */
function DisabledPanel({ refusal, memberType }: { refusal: RuleRefusal; memberType: string }): ReactNode {
  const { t } = useTranslation();
  const reason = useReason()(refusal, memberType);
  return (
    <div className={panels.narrow} role="status">
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
function AdminSubmission(): ReactNode {
  const { t } = useTranslation();
  const time = useClaimTime(true);
  const event = useActiveEvent();
  const requested = keptClaimantIn(useLocation().state);
  const of = useSession((session) => session.admin?.username ?? '');
  const findKept = useKeptForm(of, event);
  // The kept form with its own claimant, else a new one for the requested claimant: never one with the other's choices.
  const [claimant, setClaimant] = useState<Claimant>(() => ({ ...UNNAMED, ...(findKept()?.claimant ?? requested) }));
  const type = claimant.member_type;
  const config = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const memberType = useBoard((board) => board.byKind.member_type.get(type));
  const { stored, formKey, form, submitMore, changeAgain } = useSubmissionRounds({ of, claimant, event, time });
  const reason = useReason(true)(submitterRefusal(config, memberType, time.today), type);

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

/** R4.2 to R4.4: why the submitter is refused and, if known, from when they may submit; empty if they may. */
function useReason(isAdmin = false): (refusal: RuleRefusal | null, type: string) => string {
  const { t } = useTranslation();
  const dayText = useDayText();
  const refusalText = useRefusalText();
  return (refusal, type) => {
    if (!refusal) return '';
    switch (refusal.code) {
      case 'claim.typeMayNotSubmit':
        return t(isAdmin ? 'submit.disabled.typeForAdmin' : 'submit.disabled.type', { type });
      case 'claim.beforeEarliestDate':
        return t('submit.disabled.tooEarly', { type, date: dayText(String(refusal.params.date)) });
      default:
        return refusalText(refusal);
    }
  };
}

interface SubmissionRounds {
  /** The stored claims; null while the form is shown. */
  stored: readonly ClaimRow[] | null;
  /** Another form for an event of the other kind, and after each submission. */
  formKey: string;
  form: Pick<ClaimFormProps, 'first' | 'request' | 'kept' | 'onState' | 'onSubmitted' | 'onStartOver'>;
  submitMore: () => void;
  /** The stored claims were undone: the form opens again with the same input. */
  changeAgain: () => void;
}

interface RoundFacts {
  /** Whose form it is, as `keepForm` has it. */
  of: string;
  claimant: Claimant;
  event: ActiveEvent | null;
  time: ClaimTime;
}

/** The kept form of this person; null: start empty. A function, because the kept form is not React state. */
function useKeptForm(of: string, event: ActiveEvent | null): () => KeptForm | null {
  const isReturn = useNavigationType() === 'POP';
  const [query] = useSearchParams();
  const requested = useRequestedName();
  return () => keptForm({ of, event_id: wholeEventId(event), search: String(query), requested }, isReturn);
}

/** The claimant that the board asked for, as a name's key; empty: none. */
const useRequestedName = (): string => nameKey(keptClaimantIn(useLocation().state)?.character_name ?? '');

const wholeEventId = (event: ActiveEvent | null): number | null => (event?.type === 'single_claim' ? event.id : null);

/** The form, then the stored claims, then an empty form. */
function useSubmissionRounds({ of, claimant, event, time }: RoundFacts): SubmissionRounds {
  const [query, setQuery] = useSearchParams();
  const [stored, setStored] = useState<readonly ClaimRow[] | null>(null);
  const [round, setRound] = useState(0);
  /** The request that is stored; the address still has it for a moment. */
  const [done, setDone] = useState<string | null>(null);
  const isDone = done === String(query);
  if (done !== null && !isDone) setDone(null);
  const wanted = isDone ? new URLSearchParams() : query;
  const event_id = wholeEventId(event);
  const findKept = useKeptForm(of, event);
  const requested = useRequestedName();
  /** The form that was submitted, for when its claims are undone. */
  const [submitted, setSubmitted] = useState<FormState | null>(null);
  const [isKept, setKept] = useState(() => findKept() !== null);
  const last = useRef<FormState | null>(null);
  /** The last round whose form was closed: one of its effects may still run. */
  const doneRound = useRef(-1);
  const drop = (): void => {
    doneRound.current = round;
    dropKeptForm();
  };
  return {
    stored,
    formKey: `${round} ${event_id ?? ''}`,
    form: {
      first: () =>
        firstChoice(wanted, event, time, (date, respawn_id) => mayClaimOn(useBoard.getState(), date, { claimant, time, respawn_id })),
      request: String(wanted),
      kept: () => submitted ?? findKept()?.state ?? null,
      onState: (state) => {
        if (round <= doneRound.current) return;
        last.current = state;
        keepForm({ of, event_id, search: String(query), requested, claimant, state });
      },
      onSubmitted: (claims) => {
        drop();
        setSubmitted(last.current && { ...last.current, tried: false });
        setStored(claims);
      },
      onStartOver: isKept
        ? () => {
            drop();
            setKept(false);
            setSubmitted(null);
            setRound(round + 1);
          }
        : undefined,
    },
    submitMore: () => {
      setStored(null);
      setSubmitted(null);
      setKept(false);
      setRound(round + 1);
      setDone(String(query) || null);
      setQuery({}, { replace: true });
    },
    changeAgain: () => {
      setStored(null);
      setRound(round + 1);
    },
  };
}

/** The page around the form. */
function FormPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  );
}

/** While the board loads, or its failure. */
function LoadingPage({ title }: { title: string }): ReactNode {
  const failure = useLoadFailure();
  return <FormPage title={title}>{failure ? <FailedLoad {...failure} onTryAgain={refreshBoard} /> : <FormSkeleton />}</FormPage>;
}

/** The form's layout while the board loads. */
function FormSkeleton(): ReactNode {
  const { t } = useTranslation();
  const isOffline = useBoard((board) => board.connection === 'offline');
  return (
    <>
      {isOffline ? (
        <Alert tone="bad" className={styles.notice}>
          {t('errors.network.failed')}
        </Alert>
      ) : null}
      <Loading>
        <div className={styles.form}>
          <div className={styles.steps}>
            <Panel title={t('submit.where')}>
              <Skeleton height={52} />
            </Panel>
            <Panel title={t('submit.when')}>
              <Skeleton height={54} />
              <Skeleton height={102} className={styles.later} />
              <Skeleton width={200} height={34} className={styles.later} />
            </Panel>
          </div>
          <div className={styles.aside}>
            <Panel title={t('submit.summary.title')}>
              <Skeleton height={120} />
            </Panel>
          </div>
        </div>
      </Loading>
    </>
  );
}

/** Long enough to read the notice and to choose verification instead. */
const REDIRECT_AFTER_MS = 4000;
const LOGIN = '/login?type=access-key';

/** A visitor has to sign in first; the requested spot, date and hour are kept. */
function RedirectNotice(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  useEffect(() => {
    const timer = setTimeout(() => void navigate(LOGIN, { replace: true, state: keepRequest(search) }), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [navigate, search]);
  return (
    <div className={panels.narrow} role="status">
      <EmptyState
        title={t('submit.redirect.title')}
        text={t('submit.redirect.text')}
        action={
          <>
            <ButtonLink to={LOGIN} state={keepRequest(search)} variant="primary">
              {t('submit.redirect.login')}
            </ButtonLink>
            <ButtonLink to="/verify" state={keepRequest(search)}>
              {t('submit.redirect.verify')}
            </ButtonLink>
          </>
        }
      />
    </div>
  );
}

/** An admin whose role may not claim for others, and who has no character here. */
function NoCharacter(): ReactNode {
  const { t } = useTranslation();
  const { search } = useLocation();
  return (
    <div className={panels.narrow} role="status">
      <EmptyState
        title={t('submit.noCharacter.title')}
        text={t('submit.noCharacter.text')}
        action={
          <>
            <ButtonLink to="/" variant="primary">
              {t('submit.disabled.board')}
            </ButtonLink>
            <ButtonLink to={LOGIN} state={keepRequest(search)}>
              {t('submit.redirect.login')}
            </ButtonLink>
          </>
        }
      />
    </div>
  );
}
