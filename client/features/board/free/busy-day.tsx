import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { useBoard } from '../../../store/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import styles from './free.module.css';

/** R4.6: the viewer may look what is free, and cannot claim it. */
export function BusyDay({ claim }: { claim: ClaimOnRespawn }): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name ?? '');
  const { character_name: name, hour_start: start, hour_end: end } = claim;
  return <Alert className={styles.busy}>{t('board.freeAt.busy', { name, spot, start, end })}</Alert>;
}
