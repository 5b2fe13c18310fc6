import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/request.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { ClaimsInTheWay, claimsOf, countOf } from '../forms/claims-in-the-way.tsx';
import styles from './activity.module.css';

/** Why something cannot be put back, with the claims in the way. It takes the focus. */
export function RestoreRefusal({ error }: { error: unknown }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) box.current?.focus();
  }, [error]);
  const claims = error instanceof ApiError && error.code === 'activity.hoursTaken' ? claimsOf(error) : undefined;
  return (
    <div ref={box} tabIndex={-1} className={styles.refusal}>
      <Alert tone="bad" title={claims ? t('admin.activity.inTheWayText', { count: countOf(error) }) : undefined}>
        {claims ? (
          <ClaimsInTheWay claims={claims} count={countOf(error)} />
        ) : (
          t('admin.activity.restoreFailed', { reason: errorText(error) })
        )}
      </Alert>
    </div>
  );
}
