import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { byHour, claimKey } from '../../../lib/claims.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { HourStrip, type StripBar, useStripBar } from '../../../ui/hours/hour-strip.tsx';
import { HoursText, useLocalTime } from '../../../ui/hours/hours-text.tsx';
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

/** The spot's day: the other claims and the chosen hours. */
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
          <TimesHandles date={claim.date ?? today} times={times} onChange={onChange} />
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
        <p className={styles.hint}>
          {t(status === 'loading' ? 'common.loading' : 'admin.claims.form.noOthers')}
        </p>
      )}
      {status === 'failed' ? (
        <Alert tone="accent">{t('admin.claims.form.othersFailed')}</Alert>
      ) : null}
    </Stack>
  );
}

interface TimesHandlesProps {
  /** The claim's date, for local times. */
  date: string;
  times: HourRange;
  onChange: (field: keyof HourRange, hour: number) => void;
}

/** Handles at both ends of the chosen hours, to drag or to move with the arrow keys. */
function TimesHandles({ date, times, onChange }: TimesHandlesProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const track = useRef<HTMLDivElement>(null);
  const bounds = {
    hour_start: { min: 0, max: times.hour_end - 1 },
    hour_end: { min: times.hour_start + 1, max: HOURS_IN_DAY },
  };
  const move = (field: keyof HourRange, to: number): void => {
    const { min, max } = bounds[field];
    const hour = Math.min(Math.max(to, min), max);
    if (hour !== times[field]) onChange(field, hour);
  };
  const onKeyDown = (field: keyof HourRange, event: KeyboardEvent): void => {
    const hour = times[field];
    const { min, max } = bounds[field];
    const to = {
      ArrowLeft: hour - 1,
      ArrowDown: hour - 1,
      ArrowRight: hour + 1,
      ArrowUp: hour + 1,
      Home: min,
      End: max,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(field, to);
  };
  const onPointerDown = ({ currentTarget, pointerId }: PointerEvent<HTMLDivElement>): void => {
    currentTarget.setPointerCapture(pointerId);
    currentTarget.focus({ preventScroll: true });
  };
  const onPointerMove = (
    field: keyof HourRange,
    { currentTarget, pointerId, clientX }: PointerEvent<HTMLDivElement>,
  ): void => {
    const { left, width } = track.current?.getBoundingClientRect() ?? { left: 0, width: 0 };
    if (width > 0 && currentTarget.hasPointerCapture(pointerId))
      move(field, Math.round(((clientX - left) / width) * HOURS_IN_DAY));
  };
  return (
    <div ref={track} className={styles.track}>
      {(['hour_start', 'hour_end'] as const).map((field) => (
        <div
          key={field}
          role="slider"
          tabIndex={0}
          aria-label={t(`admin.claims.form.drag.${field}`)}
          aria-valuemin={bounds[field].min}
          aria-valuemax={bounds[field].max}
          aria-valuenow={times[field]}
          aria-valuetext={`${t('time.hour', { hour: times[field] })}, ${t('time.localTime', { time: localTime(date, times[field]) })}`}
          className={styles.handle}
          style={{ left: `${((times[field] / HOURS_IN_DAY) * 100).toFixed(3)}%` }}
          onKeyDown={(event) => onKeyDown(field, event)}
          onPointerDown={onPointerDown}
          onPointerMove={(event) => onPointerMove(field, event)}
        />
      ))}
    </div>
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
