import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useKeptRequest } from '../../../lib/claim-request.ts';
import { useFocusOnMount } from '../../../lib/use-focus-on-mount.ts';
import { Alert } from '../../../ui/alert.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { CopyBox } from '../../../ui/copyable-code.tsx';
import { CheckIcon } from '../../../ui/icons.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { StepsFrame, type VerificationSettings } from './steps-frame.tsx';
import styles from './verify-page.module.css';

/** Verified without showing a key: an admin hands it out, or another browser received it. */
export function VerifiedStep({
  characterName,
  settings,
}: {
  characterName: string;
  settings: VerificationSettings;
}): ReactNode {
  const { t } = useTranslation();
  const heading = useFocusOnMount<HTMLHeadingElement>();
  const keptRequest = useKeptRequest();
  const isManual = settings.character_check === 'manual';
  return (
    <StepsFrame stage="key" settings={settings}>
      <Panel className={styles.panel}>
        <h2 ref={heading} tabIndex={-1} className={`${styles.done} no-ring`}>
          <span className="done-mark">
            <CheckIcon size={20} />
          </span>
          {t('verify.done.title', { name: characterName })}
        </h2>
        <p className="muted">{isManual ? t('verify.manual.done') : t('verify.done.noKey')}</p>
        <Cluster stacked>
          <ButtonLink to="/login?type=access-key" state={keptRequest} variant="primary">
            {t('board.visitor.login')}
          </ButtonLink>
          {isManual ? null : (
            <ButtonLink to="/verify" state={keptRequest}>
              {t('verify.startOver.other')}
            </ButtonLink>
          )}
        </Cluster>
      </Panel>
    </StepsFrame>
  );
}

export interface SuccessStepProps {
  characterName: string;
  memberType: string;
  accessKey: string;
  settings: VerificationSettings;
}

/** Verified, and this browser has the key: continue to the requested claim. */
export function SuccessStep({
  characterName,
  memberType,
  accessKey,
  settings,
}: SuccessStepProps): ReactNode {
  const { t } = useTranslation();
  const { requested_claim } = useKeptRequest();
  const heading = useFocusOnMount<HTMLHeadingElement>();
  return (
    <StepsFrame stage="done" settings={settings}>
      <Panel className={styles.panel}>
        <h2 ref={heading} tabIndex={-1} className={`${styles.done} no-ring`}>
          <span className="done-mark">
            <CheckIcon size={20} />
          </span>
          {t('verify.done.title', { name: characterName })}
          <MemberTypeBadge memberType={memberType} />
        </h2>
        <div className={styles.key}>
          <p className="muted fine medium">{t('login.accessKey')}</p>
          <CopyBox text={accessKey} label={t('shell.profile.copyKey')} />
        </div>
        <Alert tone="accent" title={t('verify.done.keepTitle')}>
          {t('verify.done.keepText')}
        </Alert>
        {settings.character_check === 'manual' ? null : (
          <p className="muted">{t('verify.done.comment')}</p>
        )}
        <Cluster stacked>
          <ButtonLink
            to={{ pathname: '/submit-claims', search: requested_claim }}
            variant="primary"
          >
            {t('shell.submitClaim')}
          </ButtonLink>
          <ButtonLink to="/">{t('verify.done.board')}</ButtonLink>
        </Cluster>
      </Panel>
    </StepsFrame>
  );
}
