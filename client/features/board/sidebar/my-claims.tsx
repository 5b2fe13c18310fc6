import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { claimKey } from '../../../lib/claim-order.ts';
import { dateInWords, formatLocale } from '../../../lib/words/local-time.ts';
import { useBoard } from '../../../state/board-store.ts';
import { claimsOf, inOrder } from '../../../state/own-claims.ts';
import { useSession } from '../../../state/session-store.ts';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import styles from '../board.module.css';
import { isActiveNow, type Now } from '../view/board-view.ts';

interface MyClaimsProps {
  event: ActiveEvent | null;
  now: Now;
}

/** The viewer's own claims, what comes next first; what is over folds away. */
export function MyClaims(props: MyClaimsProps): ReactNode {
  const current = useSession((session) => session.current);
  return current ? <ClaimsOf character={current.characterName} {...props} /> : null;
}

function ClaimsOf({ character, event, now }: MyClaimsProps & { character: string }): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const viewer = nameKey(character);
  const mine = useBoard(useShallow((board) => claimsOf([viewer], board.claimsByRespawn)));
  const { coming, over } = inOrder(
    mine.filter((claim) => !claim.is_held),
    event,
    now,
  );
  return (
    <div className={styles.group}>
      <h2 id={titleId} className={styles.label}>
        <Link to="/mine">{t('board.myClaims')}</Link>
      </h2>
      {coming.length === 0 ? (
        <p className={styles.none}>
          {over.length === 0 ? t('board.noMyClaims') : null} <Link to="/input">{t('board.claimSpot')}</Link>
        </p>
      ) : (
        <ul aria-labelledby={titleId} className={styles.mine}>
          {coming.map((claim) => (
            <MyClaim key={claimKey(claim)} claim={claim} event={event} now={now} />
          ))}
        </ul>
      )}
      {over.length > 0 ? (
        <details className={styles.overClaims}>
          <summary>{t('board.earlierClaims', { count: over.length })}</summary>
          <ul className={styles.mine}>
            {over.map((claim) => (
              <MyClaim key={claimKey(claim)} claim={claim} event={event} now={now} />
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

function MyClaim({ claim, event, now }: MyClaimsProps & { claim: ClaimOnRespawn }): ReactNode {
  const { t, i18n } = useTranslation();
  const name = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name);
  const dayOf = (date: string | null): string => {
    if (date === null) return t('board.everyDay');
    return date === now.date ? t('time.today') : dateInWords(date, formatLocale(i18n.language), { weekday: 'short', day: 'numeric' });
  };
  const isOn = !claim.is_secondary_claim && isActiveNow(claim, now, event);
  const words = [
    claim.split_part_number ? t('board.splitPart', { part: claim.split_part_number }) : null,
    claim.is_secondary_claim ? `${t('board.priority', { priority: claim.secondary_priority })} ${t('board.secondary')}` : null,
  ].filter((word) => word !== null);
  return (
    <li className={styles.myClaim}>
      <span>
        {name} {isOn ? <b>{t('time.now')}</b> : null}
      </span>
      <span>
        {dayOf(claim.date)}, <HoursText date={claim.date ?? now.date} start={claim.hour_start} end={claim.hour_end} />
        {words.length > 0 ? ` · ${words.join(' · ')}` : null}
      </span>
    </li>
  );
}
