import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { useBoard } from '../../../store/board-store.ts';
import styles from './claims.module.css';
import { rowKey } from './shown/claim-groups.ts';
import { useDayInWords } from './use-day-in-words.ts';

/** As many are named one by one; of a year's claims a dialog cannot list each. */
const NAMED = 10;

interface DoomedClaimsProps {
  claims: readonly ClaimOnRespawn[];
  /** How many go besides these. */
  unseen?: number;
  withSpot?: boolean;
}

/** Which claims will be gone. */
export function DoomedClaims({ claims, unseen = 0, withSpot }: DoomedClaimsProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const respawns = useBoard((board) => board.byKind.respawn);
  const more = Math.max(claims.length - NAMED, 0) + unseen;
  return (
    <ul aria-label={t('admin.claims.doomed')} className={styles.doomedList}>
      {claims.slice(0, NAMED).map((claim) => (
        <li key={rowKey(claim)}>
          <strong>{claim.character_name}</strong>
          {withSpot ? <span>{respawns.get(claim.respawn_id)?.name}</span> : null}
          <span>{dayInWords(claim)}</span>
          <span className={styles.doomedHours}>{t('time.range', { start: claim.hour_start, end: claim.hour_end })}</span>
        </li>
      ))}
      {more > 0 ? <li>{t('admin.claims.andMore', { count: more })}</li> : null}
    </ul>
  );
}
