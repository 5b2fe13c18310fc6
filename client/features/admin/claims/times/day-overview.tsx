import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { claimKey } from '../../../../lib/claim-order.ts';
import { useServerSaveTime } from '../../../../state/clock.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { HourStrip, type StripBar } from '../../../../ui/hours/hour-strip.tsx';
import { HoursText } from '../../../../ui/hours/hours-text.tsx';
import { useStripBar } from '../../../../ui/hours/use-strip-bar.ts';
import { MemberTypeBadge } from '../../../../ui/member-type-badge.tsx';
import { useDayInWords } from '../claim-words.tsx';
import styles from '../claims.module.css';
import { TimesHandles } from './times-handles.tsx';
import type { DayClaims } from './use-day-claims.ts';

interface DayOverviewProps extends DayClaims {
  claim: ClaimOnRespawn;
  /** The hours being chosen; null while they are none. */
  times: HourRange | null;
  /** Takes a new start or end; without it they are only shown. */
  onChange?: (field: keyof HourRange, hour: number) => void;
}

/** The day on the spot, so that one sees what is free: the others' claims, and the hours being chosen. */
export function DayOverview({ claim, times, others, status, onChange }: DayOverviewProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const barOf = useStripBar();
  const { date: today } = useServerSaveTime();
  // The others above it: a claim that is hit stays to be seen.
  const bars: StripBar[] = times ? [{ key: 'chosen', hour_start: times.hour_start, hour_end: times.hour_end, kind: 'choosing' }] : [];
  bars.push(...others.map(barOf));
  return (
    <div className={styles.overview}>
      <div className={styles.dayStrip}>
        <HourStrip bars={bars} label={dayInWords(claim)} />
        {times && onChange ? <TimesHandles date={claim.date ?? today} times={times} onChange={onChange} /> : null}
      </div>
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
    </div>
  );
}
