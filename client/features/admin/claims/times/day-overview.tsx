import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { useServerSaveTime } from '../../../../store/clock.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { HourStrip, type StripBar } from '../../../../ui/hour-strip.tsx';
import { HoursText } from '../../../../ui/hours-text.tsx';
import { MemberTypeBadge } from '../../../../ui/member-type-badge.tsx';
import { useMemberTypeColors } from '../../../../ui/member-type-colors.ts';
import styles from '../claims.module.css';
import { rowKey } from '../shown/claim-groups.ts';
import { useDayInWords } from '../use-day-in-words.ts';
import { inTheWay } from './times.ts';
import { useDayClaims } from './use-day-claims.ts';

interface DayOverviewProps {
  claim: ClaimOnRespawn;
  /** The hours being chosen; null while they are none. */
  times: HourRange | null;
}

/** The day on the spot, so that one sees what is free: the others' claims, and the hours being chosen. */
export function DayOverview({ claim, times }: DayOverviewProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const colorOf = useMemberTypeColors();
  const { date: today } = useServerSaveTime();
  const { others, status } = useDayClaims(claim);
  const blocking = times ? inTheWay(claim, times, others) : [];
  const bars: StripBar[] = others.map((other) => ({
    key: rowKey(other),
    hour_start: other.hour_start,
    hour_end: other.hour_end,
    color: colorOf(other.member_type),
    kind: other.is_secondary_claim ? 'waiting' : 'claim',
  }));
  if (times) bars.push({ key: 'chosen', ...times, kind: 'choosing' });
  return (
    <div className={styles.overview}>
      <HourStrip bars={bars} label={dayInWords(claim)} />
      {others.length > 0 ? (
        <ul aria-label={t('admin.claims.form.others')}>
          {others.map((other) => (
            <li key={rowKey(other)} className={styles.other}>
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
