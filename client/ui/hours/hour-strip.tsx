import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { freeRanges, type HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { claimKey } from '../../lib/claims.ts';
import { classes } from '../classes.ts';
import { useMemberTypeLooks } from '../member-type-badge.tsx';
import type { TypeLook } from '../type-look.ts';
import styles from './hour-strip.module.css';

export interface StripBar extends HourRange {
  key: string | number;
  /** Its member type's; `choosing` needs none. */
  look?: TypeLook | undefined;
  /** The viewer's own claim, or choice. */
  mine?: boolean | undefined;
  /** `waiting`: a secondary claim, which occupies nothing. `choosing`: a member is about to claim it. `held`: for a member of the waitlist. `wanted`: the viewer is on its waitlist. `elsewhere`: a claim of another event occupies it. `searched`: free hours that the viewer looks for. */
  kind?:
    | 'claim'
    | 'waiting'
    | 'choosing'
    | 'held'
    | 'wanted'
    | 'elsewhere'
    | 'searched'
    | undefined;
  /** A tooltip, where the strip itself does not name the claim. */
  title?: string | undefined;
}

export interface HourStripProps {
  bars: readonly StripBar[];
  /** Its name, such as "Sat 21 Nov"; the taken and free hours are added to it. Without it the strip is hidden from screen readers, for a list beside it says the same. */
  label?: string | undefined;
  /** The SS time now, in hours with a fraction; null on another day. */
  now?: number | null | undefined;
  /** Lower, and without the row of hours below. */
  small?: boolean | undefined;
  /** The id of the spot whose hours can be chosen here, with the pointer or the keyboard; left out where none can. */
  claimOf?: number | undefined;
}

const LABELLED_HOURS = [0, 6, 12, 18, HOURS_IN_DAY];

/** A shorter bar has no room for its type's letter; that of a small strip is half as wide. */
const MIN_LETTERED_HOURS = 2;
const MIN_LETTERED_HOURS_SMALL = 4;
const hasLetter = ({ kind, hour_start, hour_end }: StripBar, small = false): boolean =>
  kind !== 'waiting' &&
  hour_end - hour_start >= (small ? MIN_LETTERED_HOURS_SMALL : MIN_LETTERED_HOURS);

/** Where now runs through a bar, its letter stands in the longer part. */
function besideNow({ hour_start, hour_end }: StripBar, now: number | null): CSSProperties {
  if (now === null || now <= hour_start || now >= hour_end) return {};
  return now - hour_start > hour_end - now
    ? { paddingRight: percentOfDay(hour_end - now) }
    : { paddingLeft: percentOfDay(now - hour_start) };
}

/** A distance along the hours of a day, for style sheets. */
export const percentOfDay = (hours: number): string =>
  `${((hours / HOURS_IN_DAY) * 100).toFixed(3)}%`;

export function HourStrip({ bars, label, now = null, small, claimOf }: HourStripProps): ReactNode {
  const role = useStripRole(useStripText(label, bars, now), claimOf);
  return (
    <div className={classes(styles.strip, small && styles.small)}>
      {small || now === null ? null : <NowLabel now={now} />}
      <div
        className={classes(styles.hours, claimOf !== undefined && styles.claimable)}
        data-strip={small ? 'small' : ''}
        {...role}
      >
        {bars.map((bar) => (
          <div
            key={bar.key}
            title={bar.title}
            className={classes(
              styles.bar,
              bar.kind === 'waiting' && styles.waiting,
              bar.kind === 'choosing' && styles.choosing,
              bar.kind === 'held' && styles.held,
              bar.kind === 'wanted' && styles.wanted,
              bar.kind === 'elsewhere' && styles.elsewhere,
              bar.kind === 'searched' && styles.searched,
              bar.mine && styles.mine,
            )}
            style={{
              left: percentOfDay(bar.hour_start),
              width: percentOfDay(bar.hour_end - bar.hour_start),
              ...besideNow(bar, now),
              ...(bar.kind === 'held'
                ? { borderColor: bar.look?.ground }
                : { backgroundColor: bar.look?.ground, color: bar.look?.text }),
            }}
            // Drawn, not written: what a control has written on it is to be in its name.
            data-letter={hasLetter(bar, small) ? bar.look?.letter : undefined}
          />
        ))}
        {now === null ? null : <div className={styles.now} style={{ left: percentOfDay(now) }} />}
      </div>
      {small ? null : <StripLabels />}
    </div>
  );
}

function NowLabel({ now }: { now: number }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.nowLane} aria-hidden="true">
      <span
        className={classes(now < 1 && styles.first, now > HOURS_IN_DAY - 1 && styles.last)}
        style={{ left: percentOfDay(now) }}
      >
        {t('time.now')}
      </span>
    </div>
  );
}

/** A picture of the day. Where hours can be chosen it is a control, whose pointer and key events the board handles. With text beside it, only the pointer uses it. */
function useStripRole(
  text: string | null,
  claimOf: number | undefined,
): ComponentProps<'div'> & { 'data-hours-of'?: number } {
  const { t } = useTranslation();
  const claims = claimOf === undefined ? {} : { 'data-hours-of': claimOf };
  if (text === null) return { 'aria-hidden': true, ...claims };
  if (claimOf === undefined) return { role: 'img', 'aria-label': text };
  return {
    role: 'button',
    tabIndex: 0,
    'aria-haspopup': 'dialog',
    'aria-label': `${text} ${t('time.stripHelp')}`,
    ...claims,
  };
}

/** "Sat 21 Nov. Taken: SS+2 to SS+6. Free: SS+0 to SS+2, SS+6 to SS+24.": of today only the hours that are not over. */
function useStripText(
  label: string | undefined,
  bars: readonly StripBar[],
  now: number | null,
): string | null {
  const { t } = useTranslation();
  const inWords = (ranges: readonly HourRange[]): string =>
    ranges
      .map(({ hour_start: start, hour_end: end }) => t('time.range', { start, end }))
      .join(', ');
  if (label === undefined) return null;
  const over = now === null ? 0 : Math.floor(now);
  const leftOf = (ranges: readonly HourRange[]): HourRange[] =>
    ranges
      .filter(({ hour_end }) => hour_end > over)
      .map(({ hour_start, hour_end }) => ({ hour_start: Math.max(hour_start, over), hour_end }));
  const all = bars
    .filter(({ kind = 'claim' }) => kind === 'claim' || kind === 'held' || kind === 'elsewhere')
    .sort((a, b) => a.hour_start - b.hour_start);
  const taken = leftOf(all);
  const free = leftOf(freeRanges(all));
  if (taken.length === 0)
    return over === 0
      ? t('time.stripAllFree', { label })
      : t('time.stripFreeHours', { label, free: inWords(free) });
  if (free.length === 0) return t('time.stripAllTaken', { label, taken: inWords(taken) });
  return t('time.strip', { label, taken: inWords(taken), free: inWords(free) });
}

function StripLabels(): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.labels} aria-hidden="true">
      {LABELLED_HOURS.map((hour) => (
        <span
          key={hour}
          className={classes(hour === 0 && styles.first, hour === HOURS_IN_DAY && styles.last)}
          style={{ left: percentOfDay(hour) }}
        >
          {hour === 0 ? t('time.hour', { hour }) : hour}
        </span>
      ))}
    </div>
  );
}

/** The bar of a claim. @param viewer a name's key, whose claims are marked as their own */
export function useStripBar(viewer: string | null = null): (claim: ClaimOnRespawn) => StripBar {
  const lookOf = useMemberTypeLooks();
  return (claim) => ({
    key: claimKey(claim),
    hour_start: claim.hour_start,
    hour_end: claim.hour_end,
    look: lookOf(claim.member_type),
    mine: nameKey(claim.character_name) === viewer,
    kind: claim.is_secondary_claim ? 'waiting' : claim.is_held ? 'held' : 'claim',
  });
}
