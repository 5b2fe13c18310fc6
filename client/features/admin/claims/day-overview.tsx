import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { byHour, claimKey } from '../../../lib/claims.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { HourEnds } from '../../../ui/hours/hour-range.tsx';
import { HourStrip, type StripBar, useStripBar } from '../../../ui/hours/hour-strip.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { useAvailability } from '../../claiming/draft/availability.ts';
import type { Period } from '../../claiming/draft/draft.ts';
import { useDayInWords } from './claim-words.tsx';
import styles from './claims.module.css';

interface DayOverviewProps extends DayClaims {
  claim: ClaimOnRespawn;
  /** The chosen hours; null while they are invalid. */
  times: HourRange | null;
  /** Without it the hours are read-only. */
  onChange?: (field: keyof HourRange, hour: number) => void;
}

/** An admin's hours may overlap others: the dialog names those. */
const WHOLE_DAY = { voucher: HOURS_IN_DAY, taken: [], over: 0 };

export function DayOverview({
  claim,
  times,
  others,
  status,
  onChange,
}: DayOverviewProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const barOf = useStripBar();
  const { date: today } = useServerSaveTime();
  // The others are drawn above it, so that an overlapped claim stays visible.
  const bars: StripBar[] = times
    ? [{ key: 'chosen', hour_start: times.hour_start, hour_end: times.hour_end, kind: 'choosing' }]
    : [];
  bars.push(...others.map(barOf));
  return (
    <Stack gap={2}>
      <div className={styles.dayStrip}>
        <HourStrip bars={bars} label={dayInWords(claim)} />
        {times && onChange ? (
          <HourEnds
            date={claim.date ?? today}
            hours={times}
            limits={WHOLE_DAY}
            look="across"
            labels={{
              hour_start: t('admin.claims.form.drag.hour_start'),
              hour_end: t('admin.claims.form.drag.hour_end'),
            }}
            disabled={false}
            onChange={(next) => {
              const field = next.hour_end === times.hour_end ? 'hour_start' : 'hour_end';
              onChange(field, next[field]);
            }}
          />
        ) : null}
      </div>
      {others.length > 0 ? (
        <ul aria-label={t('admin.claims.form.others')}>
          {others.map((other) => (
            <li key={claimKey(other)} className={styles.other}>
              <HoursText
                date={other.date ?? claim.date ?? today}
                start={other.hour_start}
                end={other.hour_end}
                className={styles.hours}
              />
              <span className={styles.who}>{other.character_name}</span>
              {other.is_secondary_claim ? (
                <span>{t('admin.claims.secondary', { priority: other.secondary_priority })}</span>
              ) : null}
              <MemberTypeBadge memberType={other.member_type} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="faint small">
          {t(status === 'loading' ? 'common.loading' : 'admin.claims.form.noOthers')}
        </p>
      )}
      {status === 'failed' ? (
        <Alert tone="accent">{t('admin.claims.form.othersFailed')}</Alert>
      ) : null}
    </Stack>
  );
}

interface DayClaims {
  /** By hour. */
  others: readonly ClaimOnRespawn[];
  status: 'loading' | 'ready' | 'failed';
}

const NO_CLAIMS: readonly ClaimOnRespawn[] = [];

/** The other claims on a claim's spot and date, of every event. The board has all claims for every day of an event. */
export function useDayClaims({ id, respawn_id, date }: ClaimOnRespawn): DayClaims {
  const onBoard = useBoard((board) => board.claimsByRespawn.get(respawn_id)) ?? NO_CLAIMS;
  const period: Period | null = date === null ? null : { first: date, last: date, event_id: null };
  const availability = useAvailability(period ? [{ respawn_id, period }] : []);
  const claims = period
    ? availability.claimsIn(respawn_id, period)
    : onBoard.filter((claim) => claim.date === null);
  return {
    others: claims.filter((claim) => claim.id !== id).sort(byHour),
    status: period ? availability.stateOf(respawn_id, period) : 'ready',
  };
}
