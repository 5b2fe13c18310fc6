import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { formatLocale } from '../../lib/format-locale.ts';
import { dateInWords } from '../../lib/local-time.ts';
import { type BoardState, useBoard } from '../../store/board-store.ts';
import { useSession } from '../../store/session-store.ts';
import { HoursText } from '../../ui/hours-text.tsx';
import styles from './board.module.css';
import { rowKey } from './live-changes.ts';

/** The claims of a character from a date on. */
function claimsOf(viewer: string, from: string) {
  return ({ claimsByRespawn }: BoardState): ClaimOnRespawn[] =>
    [...claimsByRespawn.values()]
      .flatMap((claims) => claims.filter((claim) => nameKey(claim.character_name) === viewer && (claim.date ?? from) >= from))
      .sort((a, b) => (a.date ?? from).localeCompare(b.date ?? from) || a.hour_start - b.hour_start);
}

export function MyClaims({ today }: { today: string }): ReactNode {
  const current = useSession((session) => session.current);
  return current ? <ClaimsOf character={current.characterName} today={today} /> : null;
}

function ClaimsOf({ character, today }: { character: string; today: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const titleId = useId();
  const claims = useBoard(useShallow(claimsOf(nameKey(character), today)));
  const respawns = useBoard((board) => board.byKind.respawn);
  const dayOf = ({ date }: ClaimOnRespawn): string => {
    if (date === null) return t('board.everyDay');
    return date === today ? t('time.today') : dateInWords(date, formatLocale(i18n.language), { weekday: 'short', day: 'numeric' });
  };
  return (
    <div className={styles.group}>
      <h2 id={titleId} className={styles.label}>
        {t('board.myClaims')}
      </h2>
      {claims.length === 0 ? (
        <p className={styles.none}>
          {t('board.noMyClaims')} <Link to="/input">{t('board.claimSpot')}</Link>
        </p>
      ) : (
        <ul aria-labelledby={titleId} className={styles.mine}>
          {claims.map((claim) => (
            <li key={rowKey(claim)} className={styles.myClaim}>
              <span>{respawns.get(claim.respawn_id)?.name}</span>
              <span>
                {dayOf(claim)}, <HoursText date={claim.date ?? today} start={claim.hour_start} end={claim.hour_end} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
