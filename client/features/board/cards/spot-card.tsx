import { Fragment, memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { LastClaim } from '../../../state/last-claim.ts';
import { useChoosing } from '../../../state/presence-store.ts';
import { classes } from '../../../ui/classes.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { Found } from '../../../ui/found.tsx';
import { ChoosingLines } from '../../../ui/hours/choosing-lines.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { claimsOn, freeHours, otherDays } from '../../claiming/day-claims.ts';
import {
  useHoursElsewhere,
  useWaitlist,
  type WaitlistMode,
} from '../../claiming/waitlist/waitlist.ts';
import { HoursElsewhere, WaitlistLine } from '../../claiming/waitlist/waitlist-parts.tsx';
import { currentClaims } from '../board-view.ts';
import { AgainLink } from '../claim-again.tsx';
import { ClaimLink, useClosedText } from '../claim-links.tsx';
import { ClaimWanted, wantedSearch } from '../free-at.tsx';
import { useJustChanged } from '../live-changes.tsx';
import { ClaimList, OtherDays } from './claim-list.tsx';
import styles from './spot-card.module.css';
import { DayStrip, StarButton, useRing } from './spot-day.tsx';

export interface DayShown {
  /** The server-save date the cards show. */
  date: string;
  today: string;
  /** The SS time in hours with a fraction, when the date is today. */
  now: number | null;
  event: ActiveEvent | null;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  search: string;
  /** Photo mode leaves out links, controls and who is choosing. */
  photo?: boolean;
  /** The searched hours, free on every spot shown; null: no search, or the viewer can't claim them. */
  wanted?: HourRange | null;
  /** A press claims the searched hours; otherwise it opens the panel. */
  isClaimedAtOnce?: boolean;
  /** The waitlist's actions on this date. */
  waits?: WaitlistMode;
}

export interface SpotCardProps extends DayShown {
  id: number;
  /** The viewer's last claim, if it was on this spot and can be repeated. */
  again?: LastClaim | null;
  withCategory?: boolean;
  /** Counts the claims of all dates, as "Most claims" sorts, instead of the date's. */
  countsAll?: boolean;
}

/** A spot with its day. Memoized: one claim's change renders one card. */
export const SpotCard = memo(function SpotCard({ id, again, ...day }: SpotCardProps): ReactNode {
  const { t } = useTranslation();
  const { date, today, now, photo = false, search, countsAll = false } = day;
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  const claims = useBoard((board) => board.claimsByRespawn.get(id));
  const elsewhere = useHoursElsewhere(id, date);
  const changed = useJustChanged((just) => just.spots.has(id));
  const [ref, ringed] = useRing<HTMLElement>(id, date);
  const closed = useClosedText(date);
  if (!spot) return null;
  const current = currentClaims(claims, day.event, today);
  const onDay = claimsOn(date, current);
  const mine = onDay.some((claim) => nameKey(claim.character_name) === day.viewer);
  const name = <Found text={spot.name} search={search} />;
  return (
    <article
      ref={ref}
      className={classes(
        styles.card,
        mine && styles.mine,
        changed && styles.changed,
        ringed && styles.ringed,
        now !== null && styles.today,
      )}
      data-spot={id}
    >
      <div className={styles.head}>
        <Emblem src={spot.image_url} name={spot.name} />
        <h3 className={styles.name}>
          {/* The form would begin with another day than one that is over. */}
          {date < today || photo ? (
            name
          ) : (
            <ClaimLink
              closed={closed}
              search={wantedSearch(spot.id, date, day.wanted)}
              title={t('board.claimName', { name: spot.name })}
            >
              {name}
            </ClaimLink>
          )}
        </h3>
        {day.wanted && !photo ? (
          <ClaimWanted
            spot={spot}
            date={date}
            wanted={day.wanted}
            atOnce={day.isClaimedAtOnce ?? false}
          />
        ) : (
          <span className={styles.count}>
            {countsAll
              ? t('board.claimsInTotal', { count: current.length })
              : t(date === today ? 'board.claimsToday' : 'board.claims', { count: onDay.length })}
          </span>
        )}
        {photo ? null : <StarButton id={id} name={spot.name} />}
        <Summary spot={spot} onDay={onDay} elsewhere={elsewhere} {...day} />
      </div>
      <Hours spot={spot} claims={current} onDay={onDay} elsewhere={elsewhere} {...day} />
      {again ? (
        <div className={styles.again}>
          <AgainLink again={again} date={date} />
        </div>
      ) : null}
    </article>
  );
});

interface OnDay extends DayShown {
  spot: Respawn;
  onDay: readonly ClaimOnRespawn[];
  /** The hours that claims of other events occupy on that date. */
  elsewhere: readonly OccupiedHours[];
}

function Summary({
  spot,
  onDay,
  elsewhere,
  date,
  today,
  now,
  withCategory = false,
}: OnDay & Pick<SpotCardProps, 'withCategory'>): ReactNode {
  const { t } = useTranslation();
  return (
    <p className={styles.sub}>
      {withCategory ? `${spot.category_name ?? t('board.uncategorised')} · ` : null}
      {date < today ? (
        t('board.dayEnded')
      ) : (
        <FreeHours date={date} free={freeHours(onDay, Math.floor(now ?? 0), elsewhere)} />
      )}
    </p>
  );
}

/** The day as a strip and a list, who is choosing hours, and the other days. */
function Hours({
  spot,
  claims,
  onDay,
  elsewhere,
  date,
  today,
  now,
  viewer,
  search,
  photo = false,
  wanted = null,
  waits: waitlistMode = 'off',
}: OnDay & { claims: readonly ClaimOnRespawn[] }): ReactNode {
  const { t } = useTranslation();
  const about = useChoosing(spot.id, date);
  const choosing = photo ? [] : about;
  const waits = photo ? 'off' : waitlistMode;
  const line = useWaitlist(spot.id, date, waits);
  return (
    <>
      <DayStrip
        date={date}
        claims={onDay}
        elsewhere={elsewhere}
        choosing={choosing}
        now={now}
        viewer={viewer}
        line={line}
        wanted={photo ? null : wanted}
        claimOf={photo || date < today ? undefined : spot.id}
      />
      {onDay.length > 0 ? (
        <div className={styles.day}>
          <ClaimList
            claims={onDay}
            date={date}
            viewer={viewer}
            hour={now === null ? null : Math.floor(now)}
            search={search}
            line={line}
            waits={waits}
            photo={photo}
          />
        </div>
      ) : (
        <p className={styles.nothing}>{t('board.noClaimsThisDay')}</p>
      )}
      <HoursElsewhere
        respawn_id={spot.id}
        date={date}
        hours={elsewhere}
        viewer={viewer}
        joinFrom={waits === 'open' ? Math.floor(now ?? 0) : null}
      />
      <WaitlistLine waitlist={line} date={date} />
      <ChoosingLines choosing={choosing} date={date} />
      <OtherDays days={otherDays(date, claims)} after={date} viewer={viewer} search={search} />
    </>
  );
}

/** Name at most this many free ranges; count the rest. */
const MAX_NAMED = 3;

function FreeHours({ date, free }: { date: string; free: readonly HourRange[] }): ReactNode {
  const { t } = useTranslation();
  if (free.length === 0) return t('board.noFreeHours');
  const more = free.length - MAX_NAMED;
  return (
    <>
      {free.slice(0, MAX_NAMED).map(({ hour_start, hour_end }, i) => (
        <Fragment key={hour_start}>
          <span className="nowrap">
            {i === 0 ? `${t('board.free')} ` : null}
            <HoursText date={date} start={hour_start} end={hour_end} />
            {i < free.length - 1 ? ',' : null}
          </span>{' '}
        </Fragment>
      ))}
      {more > 0 ? t('board.moreFreeRanges', { count: more }) : null}
    </>
  );
}
