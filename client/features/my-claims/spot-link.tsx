import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { boardAddress, shownSpot } from '../../lib/board-place.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import styles from './mine.module.css';

export interface SpotLinkProps {
  respawn_id: number;
  /** null: every date of an event. */
  date: string | null;
}

/** The spot's name, which leads to its card on the board. */
export function SpotLink({ respawn_id, date }: SpotLinkProps): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const name = useBoard((board) => board.byKind.respawn.get(respawn_id)?.name) ?? '';
  return (
    <Link className={styles.spot} to={boardAddress(date, today)} state={shownSpot(respawn_id)} title={t('mine.show')}>
      {name}
    </Link>
  );
}
