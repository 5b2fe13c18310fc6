import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useClaimsForOthers } from '../../../state/use-claim-page.ts';
import { useMembersClosed } from '../../../state/use-claims-closed.ts';
import { Alert } from '../../../ui/alert.tsx';
import styles from './closed.module.css';

/** Above the board while members cannot submit claims: nothing on it leads to a form that is closed. */
export function ClosedNotice(): ReactNode {
  const { t } = useTranslation();
  const isClosed = useMembersClosed();
  const forOthers = useClaimsForOthers();
  if (!isClosed) return null;
  return (
    <Alert tone="accent" className={styles.notice}>
      <strong>{t('board.closed.title')}.</strong> {t(forOthers ? 'board.closed.forOthers' : 'board.closed.text')}
    </Alert>
  );
}
