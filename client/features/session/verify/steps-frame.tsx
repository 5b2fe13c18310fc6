import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAskedClaim } from '../../../lib/asked-claim.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Panel } from '../../../ui/panel.tsx';
import { PendingList } from './pending-list.tsx';
import strip from './stage-strip.module.css';
import type { VerificationSettings } from './use-verification-settings.ts';
import styles from './verify-page.module.css';

export interface StepsFrameProps {
  stage: Stage;
  settings: VerificationSettings;
  /** The character in view: its code is not listed beside it. */
  inView?: string;
  children: ReactNode;
}

/** What is around every step: the way so far, the codes that wait, and the other way in. */
export function StepsFrame({ stage, settings, inView, children }: StepsFrameProps): ReactNode {
  const { t } = useTranslation();
  const asked = useAskedClaim();
  const isManual = settings.character_check === 'manual';
  return (
    <>
      <p className={styles.intro}>{isManual ? t('verify.manual.intro') : t('verify.intro')}</p>
      <StageStrip stage={stage} isManual={isManual} />
      <div className={styles.columns}>
        <div className={styles.steps} data-unsaved={stage === 'name' ? undefined : ''}>
          {children}
        </div>
        <aside className={styles.aside}>
          <PendingList except={inView} />
          {stage === 'key' || stage === 'done' ? null : (
            <Panel title={t('verify.haveKey.title')}>
              <p className={styles.quiet}>{t('verify.haveKey.text')}</p>
              <ButtonLink to="/login?type=access-key" state={asked} wide>
                {t('verify.login')}
              </ButtonLink>
            </Panel>
          )}
        </aside>
      </div>
    </>
  );
}

const STAGES = ['name', 'code', 'check', 'key'] as const;
/** `done`: all of them. */
type Stage = (typeof STAGES)[number] | 'done';

/** The way to the key as a strip: what is done, where one is, what comes. */
function StageStrip({ stage, isManual }: { stage: Stage; isManual: boolean }): ReactNode {
  const { t } = useTranslation();
  const at = stage === 'done' ? STAGES.length : STAGES.indexOf(stage);
  return (
    <ol className={strip.stages} aria-label={t('verify.stages.label')}>
      {STAGES.map((each, index) => (
        <li
          key={each}
          className={classes(strip.stage, index < at && strip.done, index === at && strip.now)}
          aria-current={index === at ? 'step' : undefined}
        >
          {isManual ? t(`verify.stages.manual.${each}`) : t(`verify.stages.${each}`)}
        </li>
      ))}
    </ol>
  );
}
