import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useAskedClaim } from '../../../lib/asked-claim.ts';
import { useFocusOnMount } from '../../../lib/use-focus-on-mount.ts';
import type { PendingVerification } from '../../../state/pending-verifications.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CheckPanel } from './check-panel.tsx';
import styles from './code-step.module.css';
import { CopyBox } from './copy-box.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { AdminInstructions, CommentInstructions } from './instructions.tsx';
import { NewCode } from './new-code.tsx';
import type { CheckEnd } from './run-check.ts';
import { StepsFrame } from './steps-frame.tsx';
import { useCheck } from './use-check.ts';
import { useExpiryText, useTimeLeft } from './use-time-left.ts';
import type { VerificationSettings } from './use-verification-settings.ts';

export interface CodeStepProps {
  pending: PendingVerification;
  settings: VerificationSettings;
  onEnd: (end: CheckEnd) => void;
}

/** A code that waits: where to put it, and the check. An expired one asks for a new one; a test-mode one explains itself. */
export function CodeStep({ pending, settings, onEnd }: CodeStepProps): ReactNode {
  const { t } = useTranslation();
  const check = useCheck(pending, onEnd);
  const left = useTimeLeft(pending.expiresAt);
  const heading = useFocusOnMount<HTMLHeadingElement>();
  const name = pending.characterName;
  const isExpired = left === 0 || check.end?.is === 'expired';
  const isTest = pending.verification_token === null;
  const isManual = settings.character_check === 'manual';

  return (
    <StepsFrame stage={check.attempt === null ? 'code' : 'check'} settings={settings} inView={name}>
      <Panel>
        <h2 ref={heading} tabIndex={-1} className={styles.title}>
          {t('verify.code.title', { name })}
        </h2>
        {isExpired ? (
          <Expired name={name} />
        ) : (
          <>
            <CopyBox text={pending.code} label={t('verify.code.copy')} />
            <Expiry left={left} />
            {isTest ? <TestMode name={name} /> : null}
            {isTest ? null : isManual ? <AdminInstructions name={name} code={pending.code} /> : <CommentInstructions name={name} />}
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
    <div className={styles.stack}>
      <Alert tone="bad">{t('errors.verification.expired')}</Alert>
      <NewCode name={name} />
    </div>
  );
}

function TestMode({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.stack}>
      <Alert tone="bad" title={t('verify.test.title')}>
        {t('verify.test.text')}
      </Alert>
      <NewCode name={name} />
    </div>
  );
}

/** Away from the code in view: to another name, which keeps it, or to the start, which does not. */
function StartOver({ pending }: { pending: PendingVerification }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const asked = useAskedClaim();
  const [isAsked, setIsAsked] = useState(false);
  return (
    <div className={styles.below}>
      <ButtonLink to="/verify" state={asked} variant="quiet">
        {t('verify.startOver.other')}
      </ButtonLink>
      <Button variant="danger" onClick={() => setIsAsked(true)}>
        {t('verify.startOver.action')}
      </Button>
      <DeleteDialog
        pending={isAsked ? pending : null}
        confirmLabel={t('verify.startOver.action')}
        onClose={() => setIsAsked(false)}
        onDeleted={() => void navigate('/verify', { state: asked })}
      />
    </div>
  );
}
