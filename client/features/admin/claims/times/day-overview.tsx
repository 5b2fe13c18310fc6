import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { getRespawnClaims } from '../../../../api/calls.ts';
import { byHour, claimKey } from '../../../../lib/claim-order.ts';
import { useBoard } from '../../../../store/board-store.ts';
import { useServerSaveTime } from '../../../../store/clock.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { HourStrip, type StripBar } from '../../../../ui/hours/hour-strip.tsx';
import { HoursText } from '../../../../ui/hours/hours-text.tsx';
import { MemberTypeBadge, useMemberTypeLooks } from '../../../../ui/member-type-badge.tsx';
import styles from '../claims.module.css';
import { useDayInWords } from '../use-day-in-words.ts';
import { inTheWay } from './times.ts';

interface DayOverviewProps {
  claim: ClaimOnRespawn;
  /** The hours being chosen; null while they are none. */
  times: HourRange | null;
}

/** The day on the spot, so that one sees what is free: the others' claims, and the hours being chosen. */
export function DayOverview({ claim, times }: DayOverviewProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const lookOf = useMemberTypeLooks();
  const { date: today } = useServerSaveTime();
  const { others, status } = useDayClaims(claim);
  const blocking = times ? inTheWay(claim, times, others) : [];
  const bars: StripBar[] = others.map((other) => ({
    key: claimKey(other),
    hour_start: other.hour_start,
    hour_end: other.hour_end,
    look: lookOf(other.member_type),
    kind: other.is_secondary_claim ? 'waiting' : 'claim',
  }));
  if (times) bars.push({ key: 'chosen', ...times, kind: 'choosing' });
  return (
    <div className={styles.overview}>
      <HourStrip bars={bars} label={dayInWords(claim)} />
      {others.length > 0 ? (
        <ul aria-label={t('admin.claims.form.others')}>
          {others.map((other) => (
            <li key={claimKey(other)} className={styles.other}>
              <HoursText date={other.date ?? claim.date ?? today} start={other.hour_start} end={other.hour_end} className={styles.hours} />
              <span className={styles.who}>{other.character_name}</span>
              {other.is_secondary_claim ? <span>{t('admin.claims.secondary', { priority: other.secondary_priority })}</span> : null}
              <MemberTypeBadge memberType={other.member_type} />
            </li>
          ))}
        </ul>
      ) : (
        <p className={styles.hint}>{t(status === 'loading' ? 'common.loading' : 'admin.claims.form.noOthers')}</p>
      )}
      {status === 'failed' ? <Alert tone="accent">{t('admin.claims.form.othersFailed')}</Alert> : null}
      {blocking.length > 0 ? (
        <Alert tone="accent">{t('admin.claims.form.taken', { names: blocking.map((other) => other.character_name).join(', ') })}</Alert>
      ) : null}
    </div>
  );
}

interface DayClaims {
  /** The other claims of that day on that spot, in the order of their hours. */
  others: readonly ClaimOnRespawn[];
  status: 'loading' | 'ready' | 'failed';
}

const NONE: readonly ClaimOnRespawn[] = [];

/**
 * Who else stands where a claim stands, whichever event it belongs to: asked of the server, and again whenever the
 * board changes there. Of a claim that covers a whole event, the board is all that is asked.
 */
function useDayClaims({ id, respawn_id, date }: ClaimOnRespawn): DayClaims {
  const onBoard = useBoard((board) => board.claimsByRespawn.get(respawn_id) ?? NONE);
  const [answer, setAnswer] = useState<readonly ClaimOnRespawn[] | 'failed' | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change on the board is a reason to ask anew
  useEffect(() => {
    if (date === null) return;
    const abort = new AbortController();
    getRespawnClaims(respawn_id, date, abort.signal).then(
      (claims) => !abort.signal.aborted && setAnswer(claims),
      () => !abort.signal.aborted && setAnswer('failed'),
    );
    return () => abort.abort();
  }, [respawn_id, date, onBoard]);

  const known = answer === null || answer === 'failed' ? onBoard.filter((claim) => claim.date === date || claim.date === null) : answer;
  const others = known.filter((claim) => claim.id !== id).sort(byHour);
  if (date === null) return { others, status: 'ready' };
  return { others, status: answer === null ? 'loading' : answer === 'failed' ? 'failed' : 'ready' };
}
