import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import styles from './free.module.css';
import type { OwnClaim } from './use-free.ts';

/** R4.6: says why the viewer can look at free hours but not claim them. */
export function BusyDay({ claim }: { claim: OwnClaim }): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name ?? '');
  const { character_name: name, hour_start: start, hour_end: end } = claim;
  return <Alert className={styles.busy}>{t('board.freeAt.busy', { name, spot, start, end })}</Alert>;
}
