import { type CSSProperties, memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { formatLocale } from '../../lib/format-locale.ts';
import { dateInWords } from '../../lib/local-time.ts';
import { useBoard } from '../../store/board-store.ts';
import { useChoosing } from '../../store/presence-store.ts';
import { useClaimPage } from '../../store/use-claim-page.ts';
import { ChoosingLines } from '../../ui/choosing-lines.tsx';
import { classes } from '../../ui/classes.ts';
import { Emblem } from '../../ui/emblem.tsx';
import { HourStrip, type StripBar } from '../../ui/hour-strip.tsx';
import { HoursText } from '../../ui/hours-text.tsx';
import { useMemberTypeColors } from '../../ui/member-type-colors.ts';
import { currentClaims } from './board-view.ts';
import { ClaimList } from './claim-list.tsx';
import { claimsOn, nextFree, otherDays } from './day-claims.ts';
import { rowKey, useJustChanged } from './live-changes.ts';
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
}

export interface SpotCardProps extends DayShown {
  id: number;
  /** Where the list has no headings. */
  withCategory?: boolean;
}

/** A spot with its day. Every live change passes by all cards, and only the one it is about may render: hence memo. */
export const SpotCard = memo(function SpotCard({ id, ...day }: SpotCardProps): ReactNode {
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  const claims = useBoard((board) => board.claimsByRespawn.get(id));
  return spot ? <Card spot={spot} claims={currentClaims(claims, day.event, day.today)} {...day} /> : null;
});

interface CardProps extends Omit<SpotCardProps, 'id'> {
  spot: Respawn;
  claims: readonly ClaimOnRespawn[];
}

function Card({ spot, claims, date, today, now, viewer, photo = false, withCategory = false }: CardProps): ReactNode {
  const { t, i18n } = useTranslation();
  const colorOf = useMemberTypeColors();
  const claimPage = useClaimPage();
  const about = useChoosing(spot.id, date);
  const choosing = photo ? [] : about;
  const changed = useJustChanged((just) => just.spots.has(spot.id));
  const isMine = (claim: ClaimOnRespawn): boolean => nameKey(claim.character_name) === viewer;
  const hour = now === null ? null : Math.floor(now);
  const onDay = claimsOn(date, claims);
  // The form would begin with another day.
  const isOver = date < today;
  const bars = onDay.map(
    (claim): StripBar => ({
      key: rowKey(claim),
      hour_start: claim.hour_start,
      hour_end: claim.hour_end,
      color: colorOf(claim.member_type),
      mine: isMine(claim),
      kind: claim.is_secondary_claim ? 'waiting' : 'claim',
    }),
  );
  for (const { id, hour_start, hour_end } of choosing) bars.push({ key: `${id} ${hour_start}`, kind: 'choosing', hour_start, hour_end });
  return (
    <article
      className={classes(styles.card, onDay.some(isMine) && styles.mine, changed && styles.changed)}
      style={{ '--rows': Math.max(onDay.length, 1) } as CSSProperties}
    >
      <div className={styles.head}>
        <Emblem src={spot.image_url} name={spot.name} />
        <div className={styles.title}>
          <h3 className={styles.name}>
            {isOver || photo ? (
              spot.name
            ) : (
              <Link to={`${claimPage}?respawn=${spot.id}&date=${date}`} title={t('board.claimName', { name: spot.name })}>
                {spot.name}
              </Link>
            )}
          </h3>
          <p className={styles.sub}>
            {withCategory ? `${spot.category_name ?? t('board.uncategorised')} · ` : null}
            {isOver ? t('board.dayOver') : <FreeHours date={date} range={nextFree(onDay, hour ?? 0)} />}
          </p>
        </div>
        <span className={styles.count}>
          {date === today ? t('board.claimsToday', { count: onDay.length }) : t('board.claims', { count: onDay.length })}
        </span>
      </div>
      <HourStrip bars={bars} now={now} label={dateInWords(date, formatLocale(i18n.language))} />
      {onDay.length > 0 ? (
        <div className={styles.day}>
          <ClaimList claims={onDay} date={date} viewer={viewer} hour={hour} />
        </div>
      ) : (
        <p className={styles.nothing}>{t('board.noClaimsThisDay')}</p>
      )}
      <ChoosingLines choosing={choosing} date={date} />
      <OtherDays days={otherDays(date, claims)} after={date} viewer={viewer} />
    </article>
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
