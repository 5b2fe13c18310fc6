import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../api/request.ts';
import { useAskedClaim } from '../../../lib/asked-claim.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import styles from './code-step.module.css';
import { NewCode } from './new-code.tsx';
import { pathOf } from './pending-list.tsx';
import type { CheckEnd } from './run-check.ts';

/** Why a check ended without a key, and what helps. */
export function CheckFailure({ end, name }: { end: CheckEnd; name: string }): ReactNode {
  const { t } = useTranslation();
  if (end.is === 'timed-out') return <Failure>{t('verify.check.timedOut')}</Failure>;
  if (end.is === 'timed-out-away') return <Failure>{t('verify.check.timedOutAway')}</Failure>;
  if (end.is === 'refused') return <Refused error={end.error} />;
  if (end.is !== 'unknown') return null;
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
  const asked = useAskedClaim();
  const { new_name } = error.params;
  const isRenamed = error.code === 'character.renamed' && typeof new_name === 'string';
  return (
    <Failure
      action={
        isRenamed ? (
          <ButtonLink small to={pathOf(new_name)} state={asked}>
            {t('verify.check.goOnAs', { name: new_name })}
          </ButtonLink>
        ) : null
      }
    >
      {errorText(error)}
    </Failure>
  );
}
