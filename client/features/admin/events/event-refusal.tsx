import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/request.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { ClaimsInTheWay, claimsOf, countOf } from '../forms/claims-in-the-way.tsx';
import styles from './events.module.css';

/** Why the server refused an event. It takes the focus, unless a field does. */
export function EventRefusal({ error, title, atField }: { error: unknown; title: string; atField: boolean }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!atField && error) box.current?.focus();
  }, [error, atField]);
  const claims = claimsOf(error);
  const taken = error instanceof ApiError && error.code === 'event.hoursTaken';
  return (
    <div ref={box} tabIndex={-1} className={styles.notice}>
      <Alert tone="bad" title={title}>
        {claims ? (
          <>
            <p>{t(taken ? 'admin.events.hoursTaken' : 'admin.events.claimsOutside', { count: countOf(error) })}</p>
            <ClaimsInTheWay claims={claims} count={countOf(error)} />
          </>
        ) : (
          errorText(error)
        )}
      </Alert>
    </div>
  );
}
