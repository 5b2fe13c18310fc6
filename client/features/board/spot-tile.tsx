import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useBoard } from '../../store/board-store.ts';
import { useClaimPage } from '../../store/use-claim-page.ts';
import { Emblem } from '../../ui/emblem.tsx';
import styles from './spot-card.module.css';

/** A spot that nobody has claimed: a way to claim it. */
export const SpotTile = memo(function SpotTile({ id, date }: { id: number; date: string }): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  const claimPage = useClaimPage();
  if (!spot) return null;
  return (
    <Link to={`${claimPage}?respawn=${id}&date=${date}`} className={styles.tile} aria-label={t('board.claimName', { name: spot.name })}>
      <Emblem src={spot.image_url} name={spot.name} size={32} />
      <span>{spot.name}</span>
    </Link>
  );
});
