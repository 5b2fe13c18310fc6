import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { gameName, nameKey } from '../../../../shared/rules/names.ts';
import { usePageTitle } from '../../../lib/use-page-title.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { useVerificationSettings } from './use-verification-settings.ts';
import { Verification } from './verification.tsx';
import styles from './verify-page.module.css';

/** From a character's name to its access key; the address names the character whose verification is in view. */
export function VerifyPage(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { characterName = '' } = useParams();
  const { loaded, askAgain } = useVerificationSettings();
  usePageTitle(t('shell.verifyCharacter'));
  const name = gameName(characterName);
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{t('verify.title')}</h1>
      {loaded.status === 'ready' ? <Verification key={nameKey(name)} name={name} settings={loaded.settings} /> : null}
      {loaded.status === 'loading' ? <VerificationSkeleton /> : null}
      {loaded.status === 'failed' ? (
        <Alert
          tone="bad"
          action={
            <Button small onClick={askAgain}>
              {t('common.tryAgain')}
            </Button>
          }
        >
          {errorText(loaded.error)}
        </Alert>
      ) : null}
    </div>
  );
}

function VerificationSkeleton(): ReactNode {
  return (
    <Loading>
      <Skeleton width="60%" className={styles.introSkeleton} />
      <Skeleton height={44} className={styles.stagesSkeleton} />
      <Panel>
        <Skeleton width="40%" />
        <Skeleton height={38} className={styles.fieldSkeleton} />
        <Skeleton width={140} height={38} className={styles.fieldSkeleton} />
      </Panel>
    </Loading>
  );
}
