import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { claimKey } from '../../../lib/claim-order.ts';
import { dateInWords, formatLocale } from '../../../lib/words/local-time.ts';
import { useBoard } from '../../../store/board-store.ts';
import { useChoosing } from '../../../store/presence-store.ts';
import { useClaimPage } from '../../../store/use-claim-page.ts';
import { classes } from '../../../ui/classes.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { ChoosingLines } from '../../../ui/hours/choosing-lines.tsx';
import { HourStrip, type StripBar } from '../../../ui/hours/hour-strip.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { useMemberTypeColors } from '../../../ui/member-type-badge.tsx';
import { claimsOn, nextFree, otherDays } from '../day-claims.ts';
import { ClaimWanted, wantedSearch } from '../free/claim-wanted.tsx';
import { useJustChanged } from '../live-changes.ts';
import { currentClaims } from '../view/board-view.ts';
import { ClaimList } from './claim-list.tsx';
import { OtherDays } from './other-days.tsx';
import styles from './spot-card.module.css';

export interface DayShown {
  /** The server-save date the cards show. */
  date: string;
  today: string;
  /** The SS time in hours with a fraction, when the date is today. */
  now: number | null;
  event: ActiveEvent | null;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  /** Photo mode: what a picture has no use for is left out, such as links and who is choosing. */
  photo?: boolean;
  /** The hours that are looked for, which every spot shown has; null: none, or the viewer cannot claim them. */
  wanted?: HourRange | null;
}

export interface SpotCardProps extends DayShown {
  id: number;
  /** Where the list has no headings. */
  withCategory?: boolean;
}

/** A spot with its day. Every live change passes by all cards, and only the one it is about may render: hence memo. */
export const SpotCard = memo(function SpotCard({ id, ...day }: SpotCardProps): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  const claims = useBoard((board) => board.claimsByRespawn.get(id));
  const changed = useJustChanged((just) => just.spots.has(id));
  const claimPage = useClaimPage();
  if (!spot) return null;
  const { date, today } = day;
  const current = currentClaims(claims, day.event, today);
  const onDay = claimsOn(date, current);
  // The form would begin with another day.
  const isOver = date < today;
  return (
    <article className={classes(styles.card, onDay.some((claim) => isOf(day.viewer, claim)) && styles.mine, changed && styles.changed)}>
      <div className={styles.head}>
        <Emblem src={spot.image_url} name={spot.name} />
        <div className={styles.title}>
          <h3 className={styles.name}>
            {isOver || day.photo ? (
              spot.name
            ) : (
              <a href={claimPage + wantedSearch(spot.id, date, day.wanted)} title={t('board.claimName', { name: spot.name })}>
                {spot.name}
              </a>
            )}
          </h3>
          <Summary spot={spot} onDay={onDay} {...day} />
        </div>
        {day.wanted && !day.photo ? (
          <ClaimWanted spot={spot} date={date} wanted={day.wanted} />
        ) : (
          <span className={styles.count}>
            {date === today ? t('board.claimsToday', { count: onDay.length }) : t('board.claims', { count: onDay.length })}
          </span>
        )}
      </div>
      <Hours spot={spot} claims={current} onDay={onDay} {...day} />
    </article>
  );
});

const isOf = (viewer: string | null, claim: ClaimOnRespawn): boolean => nameKey(claim.character_name) === viewer;

interface OnDay extends DayShown {
  spot: Respawn;
  onDay: readonly ClaimOnRespawn[];
}

/** The category, and the next hours that are free. */
function Summary({ spot, onDay, date, today, now, withCategory = false }: OnDay & Pick<SpotCardProps, 'withCategory'>): ReactNode {
  const { t } = useTranslation();
  return (
    <p className={styles.sub}>
      {withCategory ? `${spot.category_name ?? t('board.uncategorised')} · ` : null}
      {date < today ? t('board.dayOver') : <FreeHours date={date} range={nextFree(onDay, Math.floor(now ?? 0))} />}
    </p>
  );
}

/** The day as a strip and as a list, who is about to claim some of it, and the other days. */
function Hours({ spot, claims, onDay, date, now, viewer, photo = false }: OnDay & { claims: readonly ClaimOnRespawn[] }): ReactNode {
  const { t, i18n } = useTranslation();
  const colorOf = useMemberTypeColors();
  const about = useChoosing(spot.id, date);
  const choosing = photo ? [] : about;
  const bars = onDay.map(
    (claim): StripBar => ({
      key: claimKey(claim),
      hour_start: claim.hour_start,
      hour_end: claim.hour_end,
      color: colorOf(claim.member_type),
      mine: isOf(viewer, claim),
      kind: claim.is_secondary_claim ? 'waiting' : 'claim',
    }),
  );
  for (const { id, hour_start, hour_end } of choosing) bars.push({ key: `${id} ${hour_start}`, kind: 'choosing', hour_start, hour_end });
  return (
    <>
      <HourStrip bars={bars} now={now} label={dateInWords(date, formatLocale(i18n.language))} />
      {onDay.length > 0 ? (
        <div className={styles.day}>
          <ClaimList claims={onDay} date={date} viewer={viewer} hour={now === null ? null : Math.floor(now)} />
        </div>
      ) : (
        <p className={styles.nothing}>{t('board.noClaimsThisDay')}</p>
      )}
      <ChoosingLines choosing={choosing} date={date} />
      <OtherDays days={otherDays(date, claims)} after={date} viewer={viewer} />
    </>
  );
}

function FreeHours({ date, range }: { date: string; range: HourRange | null }): ReactNode {
  const { t } = useTranslation();
  if (!range) return t('board.noFreeHours');
  return (
    <>
      {t('board.free')} <HoursText date={date} start={range.hour_start} end={range.hour_end} />
    </>
  );
}
