import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { claimSearch } from '../../../lib/asked-claim.ts';
import type { LastClaim } from '../../../state/last-claim.ts';
import { useClaimPage } from '../../../state/use-claim-page.ts';
import styles from './again-link.module.css';

/** "Again: 4 h at SS+16": the viewer's last claim on another date, with the form all filled in. */
export function AgainLink({ again, date }: { again: LastClaim; date: string }): ReactNode {
  const { t } = useTranslation();
  const claimPage = useClaimPage();
  const { respawn_id, hour_start, hour_end } = again;
  const hours = hour_end - hour_start;
  return (
    <a className={styles.again} href={claimPage + claimSearch({ respawn_id, date, hour: hour_start, hours })}>
      {t('board.again', { hours, hour: hour_start })}
    </a>
  );
}
