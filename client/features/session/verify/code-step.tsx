import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { ApiError } from '../../../api/request.ts';
import { useKeptRequest } from '../../../lib/claim-request.ts';
import { useInstantText } from '../../../lib/time-text.ts';
import { useFocusOnMount } from '../../../lib/use-focus-on-mount.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import type { PendingVerification } from '../../../state/pending-verifications.ts';
import { useTimeLeft } from '../../../state/time-left.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { CopyBox } from '../../../ui/copyable-code.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { NewCode } from './code-request.tsx';
import styles from './code-step.module.css';
import {
  DeleteDialog,
  pathOf,
  StepsFrame,
  useExpiryText,
  type VerificationSettings,
} from './steps-frame.tsx';
import {
  type Check,
  type CheckEnd,
  MAX_ATTEMPTS,
  minutesLeft,
  type PendingVerdict,
  useCheck,
} from './verification-check.ts';
import { AdminInstructions, CommentInstructions } from './verify-parts.tsx';

interface CodeStepProps {
  pending: PendingVerification;
  settings: VerificationSettings;
  onEnd: (end: CheckEnd) => void;
}

/** A pending code: where to put it, and the check. Expired and test-mode codes explain themselves. */
export function CodeStep({ pending, settings, onEnd }: CodeStepProps): ReactNode {
  const { t } = useTranslation();
  const check = useCheck(pending, onEnd);
  const left = useTimeLeft(pending.expiresAt);
  const heading = useFocusOnMount<HTMLHeadingElement>();
  const name = pending.characterName;
  const isExpired = left === 0 || check.end?.kind === 'expired';
  const isTest = pending.verification_token === null;
  const isManual = settings.character_check === 'manual';

  return (
    <StepsFrame stage={check.attempt === null ? 'code' : 'check'} settings={settings} inView={name}>
      <Panel>
        <h2 ref={heading} tabIndex={-1} className={`${styles.title} no-ring`}>
          {t('verify.code.title', { name })}
        </h2>
        {isExpired ? (
          <Expired name={name} />
        ) : (
          <>
            <CopyBox text={pending.code} label={t('verify.code.copy')} />
            <Expiry left={left} />
            {isTest ? <TestMode name={name} /> : null}
            {isTest ? null : isManual ? (
              <AdminInstructions name={name} code={pending.code} />
            ) : (
              <CommentInstructions name={name} />
            )}
          </>
        )}
      </Panel>
      {isExpired || isTest ? null : <CheckPanel check={check} name={name} settings={settings} />}
      <StartOver pending={pending} />
    </StepsFrame>
  );
}

function Expiry({ left }: { left: number }): ReactNode {
  const expiryText = useExpiryText();
  return <p className={styles.expiry}>{expiryText(left)}</p>;
}

function Expired({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack>
      <Alert tone="bad">{t('errors.verification.expired')}</Alert>
      <NewCode name={name} />
    </Stack>
  );
}

function TestMode({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack>
      <Alert tone="bad" title={t('verify.test.title')}>
        {t('verify.test.text')}
      </Alert>
      <NewCode name={name} />
    </Stack>
  );
}

/** Away from the code in view: to another name, which keeps it, or to the start, which does not. */
function StartOver({ pending }: { pending: PendingVerification }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const keptRequest = useKeptRequest();
  const [isAsked, setIsAsked] = useState(false);
  return (
    <Cluster align="start" justify="space-between" className={styles.below}>
      <ButtonLink to="/verify" state={keptRequest} variant="quiet">
        {t('verify.startOver.other')}
      </ButtonLink>
      <Button variant="danger" onClick={() => setIsAsked(true)}>
        {t('verify.startOver.action')}
      </Button>
      <DeleteDialog
        pending={isAsked ? pending : null}
        confirmLabel={t('verify.startOver.action')}
        onClose={() => setIsAsked(false)}
        onDeleted={() => void navigate('/verify', { state: keptRequest })}
      />
    </Cluster>
  );
}

interface CheckPanelProps {
  check: Check;
  name: string;
  settings: VerificationSettings;
}

function CheckPanel({ check, name, settings }: CheckPanelProps): ReactNode {
  const { t } = useTranslation();
  const isManual = settings.character_check === 'manual';
  const isRunning = check.attempt !== null;
  const heading = useFocusOnTurn(isRunning);
  return (
    <Panel>
      <h2 ref={heading} tabIndex={-1} className={`${styles.title} no-ring`}>
        {useCheckTitle(isRunning, isManual)}
      </h2>
      {check.attempt === null ? (
        <>
          {check.end ? <CheckFailure end={check.end} name={name} /> : null}
          {isManual ? null : (
            <Alert
              tone="accent"
              title={t('verify.check.saveFirst.title')}
              className={styles.saveFirst}
            >
              {t('verify.check.saveFirst.text')}
            </Alert>
          )}
          <p className={styles.lag}>
            {isManual ? t('verify.manual.delay') : t('verify.check.delay')}
          </p>
          <Button variant="primary" onClick={check.start}>
            {t('verify.check.start')}
          </Button>
        </>
      ) : (
        <>
          <CheckProgress attempt={check.attempt} last={check.last} />
          <Button onClick={check.stop}>{t('verify.check.stop')}</Button>
        </>
      )}
    </Panel>
  );
}

function useCheckTitle(isRunning: boolean, isManual: boolean): string {
  const { t } = useTranslation();
  if (isManual) return isRunning ? t('verify.manual.running') : t('verify.manual.checkTitle');
  return isRunning ? t('verify.check.running') : t('verify.check.title');
}

/** The button that was pressed is gone when the check starts or stops: the focus stays beside it. */
function useFocusOnTurn(isRunning: boolean): React.RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const was = useRef(isRunning);
  useEffect(() => {
    if (was.current !== isRunning) heading.current?.focus();
    was.current = isRunning;
  }, [isRunning]);
  return heading;
}

/** Progress of the check, the last attempt's result and the time until the next look at the comment. */
export function CheckProgress({
  attempt,
  last,
}: {
  attempt: number;
  last: PendingVerdict | null;
}): ReactNode {
  const { t } = useTranslation();
  const far = t('verify.check.minutesLeft', { count: minutesLeft(attempt) });
  // A name in the queue has its waiting time in the sentence.
  const { checkedAt = null, nextCheckAt = null } =
    last?.kind === 'pending' && last.waitSeconds === null ? last : {};
  return (
    <Stack gap={2} className={styles.progress}>
      <div
        role="progressbar"
        aria-label={t('verify.check.progress')}
        aria-valuemin={0}
        aria-valuemax={MAX_ATTEMPTS}
        aria-valuenow={attempt}
        aria-valuetext={far}
        className={styles.strip}
      >
        <div className={styles.done} style={{ width: `${(100 * attempt) / MAX_ATTEMPTS}%` }} />
        <div className={styles.cells} />
      </div>
      <p className="muted small tabular">{far}</p>
      <div role="status">
        <p>{usePendingText(last)}</p>
        {checkedAt ? <DataAge checkedAt={checkedAt} /> : null}
      </div>
      {nextCheckAt ? <NextLook at={nextCheckAt} /> : null}
    </Stack>
  );
}

function DataAge({ checkedAt }: { checkedAt: string }): ReactNode {
  const { t } = useTranslation();
  const instantText = useInstantText();
  return (
    <p className="muted tabular">
      {t('verify.check.checkedAt', { time: instantText(checkedAt, 'clock') })}
    </p>
  );
}

const SECOND_MS = 1_000;
const SECONDS_IN_MINUTE = 60;

/** A countdown to the next look at the comment. The page asks the server more often, but only this brings newer data. */
function NextLook({ at }: { at: string }): ReactNode {
  const { t } = useTranslation();
  const seconds = Math.ceil(useTimeLeft(at, SECOND_MS) / SECOND_MS);
  const time = `${Math.floor(seconds / SECONDS_IN_MINUTE)}:${String(seconds % SECONDS_IN_MINUTE).padStart(2, '0')}`;
  // A timer is not announced as it runs.
  return (
    <p role="timer" className={styles.next}>
      {seconds > 0 ? t('verify.check.nextLook', { time }) : t('verify.check.lookingNow')}
    </p>
  );
}

function usePendingText(last: PendingVerdict | null): string {
  const { t, i18n } = useTranslation();
  if (!last) return t('verify.check.looking');
  if (last.kind === 'pending') {
    const { reason, waitSeconds, text } = last;
    // Another server gives none, and a newer one may give unknown ones; the check continues.
    if (reason === null || !i18n.exists(`errors.${reason}`))
      return text || t('verify.check.looking');
    return t(`errors.${reason}`, { seconds: waitSeconds });
  }
  if (last.text) return last.text;
  if (last.kind === 'rate-limited')
    return t('errors.request.tooManyTries', { seconds: last.seconds, count: last.seconds });
  return t('verify.check.unreachable');
}

function CheckFailure({ end, name }: { end: CheckEnd; name: string }): ReactNode {
  const { t } = useTranslation();
  if (end.kind === 'timed-out') return <Failure>{t('verify.check.timedOut')}</Failure>;
  if (end.kind === 'timed-out-unreachable')
    return <Failure>{t('verify.check.timedOutOffline')}</Failure>;
  if (end.kind === 'refused') return <Refused error={end.error} />;
  if (end.kind !== 'unknown') return null;
  return (
    <>
      <Failure>{t('verify.check.failed')}</Failure>
      <NewCode plain name={name} />
    </>
  );
}

function Failure({ action, children }: { action?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <Alert tone="bad" action={action} className={styles.failure}>
      {children}
    </Alert>
  );
}

function Refused({ error }: { error: ApiError }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const keptRequest = useKeptRequest();
  const { new_name } = error.params;
  const isRenamed = error.code === 'character.renamed' && typeof new_name === 'string';
  return (
    <Failure
      action={
        isRenamed ? (
          <ButtonLink small to={pathOf(new_name)} state={keptRequest}>
            {t('verify.check.continueAs', { name: new_name })}
          </ButtonLink>
        ) : null
      }
    >
      {errorText(error)}
    </Failure>
  );
}
