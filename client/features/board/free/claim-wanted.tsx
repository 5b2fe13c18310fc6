import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { claimSearch } from '../../../lib/asked-claim.ts';
import { ClaimLink } from '../closed/claim-link.tsx';
import styles from './free.module.css';

export interface ClaimWantedProps {
  spot: Respawn;
  date: string;
  /** The hours that are looked for, which the spot has. */
  wanted: HourRange;
}

/** The claim form's search with what is looked for filled in, or with spot and date alone. */
export const wantedSearch = (respawn_id: number, date: string, wanted: HourRange | null | undefined): string =>
  claimSearch({ respawn_id, date, ...(wanted ? { hour: wanted.hour_start, hours: wanted.hour_end - wanted.hour_start } : {}) });

/** On a card that has the hours that are looked for: one press from the claim. */
export function ClaimWanted({ spot, date, wanted }: ClaimWantedProps): ReactNode {
  const { t } = useTranslation();
  const claim = t('board.freeAt.claim', { start: wanted.hour_start, end: wanted.hour_end });
  return (
    <ClaimLink
      search={wantedSearch(spot.id, date, wanted)}
      closed={t('board.closed.title')}
      aria-label={`${spot.name}: ${claim}`}
      className={styles.claim}
    >
      {claim}
    </ClaimLink>
  );
}
