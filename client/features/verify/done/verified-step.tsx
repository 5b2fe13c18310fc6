import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAskedClaim } from '../../../lib/asked-claim.ts';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { CheckIcon } from '../../../ui/icons.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { StepsFrame } from '../steps-frame.tsx';
import { useFocusOnMount } from '../use-focus-on-mount.ts';
import type { VerificationSettings } from '../use-verification-settings.ts';
import styles from './done-step.module.css';

/** The character is verified, but the key is not for this browser: an admin has it, or whoever verified it. */
export function VerifiedStep({ characterName, settings }: { characterName: string; settings: VerificationSettings }): ReactNode {
  const { t } = useTranslation();
  const heading = useFocusOnMount<HTMLHeadingElement>();
  const asked = useAskedClaim();
  const isManual = settings.character_check === 'manual';
  return (
    <StepsFrame stage="key" settings={settings}>
      <Panel className={styles.panel}>
        <h2 ref={heading} tabIndex={-1} className={styles.done}>
          <span className={styles.mark}>
            <CheckIcon size={20} />
          </span>
          {t('verify.done.title', { name: characterName })}
        </h2>
        <p className={styles.quiet}>{isManual ? t('verify.manual.done') : t('verify.done.otherKey')}</p>
        <div className={styles.actions}>
          <ButtonLink to="/login?type=access-key" state={asked} variant="primary">
            {t('verify.login')}
          </ButtonLink>
          {isManual ? null : (
            <ButtonLink to="/verify" state={asked}>
              {t('verify.startOver.other')}
            </ButtonLink>
          )}
        </div>
      </Panel>
    </StepsFrame>
  );
}
