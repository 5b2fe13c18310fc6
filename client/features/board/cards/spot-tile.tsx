import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { useChoosing } from '../../../state/presence-store.ts';
import { classes } from '../../../ui/classes.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { Found } from '../../../ui/found.tsx';
import { claimsOn, otherDays } from '../../claiming/day-claims.ts';
import { claimsAtOnce } from '../../claiming/in-place/choose-hours.ts';
import { useHoursElsewhere, useWaitlist } from '../../claiming/waitlist/waitlist.ts';
import { HoursElsewhere, WaitlistLine } from '../../claiming/waitlist/waitlist-parts.tsx';
import { currentClaims } from '../board-view.ts';
import { AgainLink } from '../claim-again.tsx';
import { ClaimLink, useClosedText } from '../claim-links.tsx';
import { wantedSearch } from '../free-at.tsx';
import { useJustChanged } from '../live-changes.tsx';
import { ClaimList, OtherDays } from './claim-list.tsx';
import type { SpotCardProps } from './spot-card.tsx';
import { DayStrip, StarButton, useRing } from './spot-day.tsx';
import styles from './spot-tile.module.css';

/** An unclaimed spot: its day at a glance, and a link to claim it. A spot that is claimed meanwhile stays here and lists the claim. */
export const SpotTile = memo(function SpotTile({ id, again, ...day }: SpotCardProps): ReactNode {
  const { t } = useTranslation();
  const { date, today, now, viewer, search, wanted = null, waits = 'off' } = day;
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  const claims = useBoard((board) => board.claimsByRespawn.get(id));
  const elsewhere = useHoursElsewhere(id, date);
  const choosing = useChoosing(id, date);
  const line = useWaitlist(id, date, waits);
  const changed = useJustChanged((just) => just.spots.has(id));
  const [ref, ringed] = useRing<HTMLLIElement>(id, date);
  const closed = useClosedText(date);
  if (!spot) return null;
  const current = currentClaims(claims, day.event, today);
  const onDay = claimsOn(date, current);
  const lines = choosing.map(({ id: who, name, hour_start: start, hour_end: end }) => ({
    key: `${who} ${start}`,
    who: t('board.presence.choosing', { name: name ?? t('board.presence.anAdmin') }),
    hours: t('time.range', { start, end }),
  }));
  const hours = wanted && t('time.range', { start: wanted.hour_start, end: wanted.hour_end });
  // The accessible name contains the visible text, in its order (WCAG 2.5.3).
  const title = t('board.claimName', { name: hours ? `${spot.name} ${hours}` : spot.name });
  const label = [title, ...lines.map((line) => `${line.who} ${line.hours}`)].join('. ');
  return (
    <li
      ref={ref}
      className={classes(styles.tile, ringed && styles.ringed, changed && styles.changed)}
      data-spot={id}
    >
      {/* Keep the element type: replacing the element would lose the focus inside. */}
      <div role={onDay.length > 0 ? 'article' : undefined} className={styles.inside}>
        <div className={styles.head}>
          <Emblem src={spot.image_url} name={spot.name} size={32} />
          {/* The form would begin with another day than one that is over. */}
          {date < today ? (
            <span className={styles.name}>
              <Found text={spot.name} search={search} />
            </span>
          ) : (
            <ClaimLink
              closed={closed}
              search={wantedSearch(id, date, wanted)}
              className={styles.name}
              aria-label={label}
              {...(wanted && day.isClaimedAtOnce ? claimsAtOnce(wanted) : {})}
            >
              <Found text={spot.name} search={search} />
            </ClaimLink>
          )}
          <StarButton id={id} name={spot.name} />
        </div>
        <DayStrip
          small
          date={date}
          claims={onDay}
          elsewhere={elsewhere}
          choosing={choosing}
          now={now}
          viewer={viewer}
          line={line}
          wanted={wanted}
          claimOf={date < today ? undefined : id}
        />
        {lines.map(({ key, who, hours }) => (
          <p key={key} className={styles.choosing}>
            {who} <span>{hours}</span>
          </p>
        ))}
        {onDay.length > 0 ? (
          <div className={styles.claims}>
            <ClaimList
              claims={onDay}
              date={date}
              viewer={viewer}
              hour={now === null ? null : Math.floor(now)}
              search={search}
              line={line}
              waits={waits}
              narrow
            />
          </div>
        ) : null}
        <HoursElsewhere
          respawn_id={id}
          date={date}
          hours={elsewhere}
          viewer={viewer}
          joinFrom={waits === 'open' ? Math.floor(now ?? 0) : null}
        />
        <WaitlistLine waitlist={line} date={date} />
        {again ? <AgainLink again={again} date={date} /> : null}
        <OtherDays
          days={otherDays(date, current)}
          after={date}
          viewer={viewer}
          search={search}
          brief
        />
      </div>
    </li>
  );
});
