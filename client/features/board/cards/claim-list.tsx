import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { claimKey } from '../../../lib/claims.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { wordsOf } from '../../../lib/words/search.ts';
import { classes } from '../../../ui/classes.ts';
import { Found } from '../../../ui/found.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { ChevronDownIcon } from '../../../ui/icons.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { foundOn, type OtherDay } from '../../claiming/day-claims.ts';
import { OnlineMark } from '../../claiming/online-mark.tsx';
import { OfferNote } from '../../claiming/own/offer-note.tsx';
import { ownActions, useOwnFacts } from '../../claiming/own/own-actions.ts';
import { OwnClaimButtons, toggleOwnMenu } from '../../claiming/own/own-claim-buttons.tsx';
import { hasWaitlist, type WaitlistMode, waitingFor } from '../../claiming/waitlist/waitlist.ts';
import { HoldText, JoinButton } from '../../claiming/waitlist/waitlist-parts.tsx';
import { WeeklySign } from '../../claiming/weekly-sign.tsx';
import { useJustChanged } from '../live-changes.tsx';
import styles from './claim-list.module.css';

interface ClaimListProps {
  claims: readonly ClaimOnRespawn[];
  /** The server-save date they are shown for. */
  date: string;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  /** The SS hour, when the date is today. */
  hour: number | null;
  /** The search, highlighted in the names. */
  search: string;
  /** On a tile: the name goes below the hours. */
  narrow?: boolean;
  /** The waitlist for these hours and whether the viewer may join it; omitted where neither is shown. */
  line?: readonly Wait[];
  waits?: WaitlistMode;
  /** A picture shows no running minutes. */
  photo?: boolean;
}

export function ClaimList({ claims, narrow = false, ...rest }: ClaimListProps): ReactNode {
  return (
    <ul className={classes(styles.list, narrow && styles.narrow)}>
      {claims.map((claim) => (
        <ClaimRow key={claimKey(claim)} claim={claim} {...rest} />
      ))}
    </ul>
  );
}

function ClaimRow({
  claim,
  date,
  viewer,
  hour,
  search,
  line = [],
  waits = 'off',
  photo = false,
}: Omit<ClaimListProps, 'claims'> & { claim: ClaimOnRespawn }): ReactNode {
  const { t } = useTranslation();
  const changed = useJustChanged((just) => just.rows.has(claimKey(claim)));
  const mine = nameKey(claim.character_name) === viewer;
  const isNow = hour !== null && claim.hour_start <= hour && hour < claim.hour_end;
  const isHeld = claim.is_held === 1;
  // A hold's minutes say that it is new.
  const fresh = changed && !isHeld;
  const isOn = isNow && !claim.is_secondary_claim && !isHeld;
  const isOffered = waits === 'open' && hasWaitlist(claim, hour ?? 0, mine);
  const named = (name: string, node: ReactNode): ReactNode =>
    isOffered ? (
      <JoinButton claim={claim} date={date} count={waitingFor(claim, line).length} name={name}>
        {node}
      </JoinButton>
    ) : mine && !photo ? (
      <OwnName claim={claim} name={name}>
        {node}
      </OwnName>
    ) : (
      <span className={styles.name} title={name}>
        {node}
      </span>
    );
  const part = claim.split_part_number;
  // Where a row has no room for all of them, its bold name says that it is the viewer's. A hold's text is long.
  const isCrowded =
    [part, mine, claim.is_secondary_claim, isOn, isHeld, isHeld, fresh].filter(Boolean).length > 2;
  return (
    <li
      className={classes(mine && styles.mine, isHeld && styles.held, isCrowded && styles.crowded)}
    >
      <div className={styles.row}>
        <HoursText
          date={date}
          start={claim.hour_start}
          end={claim.hour_end}
          className={styles.hours}
        />
        <span className={styles.who}>
          {isHeld ? (
            <HoldText
              name={claim.character_name}
              until={photo ? null : claim.held_until}
              search={search}
              wrap={named}
            />
          ) : (
            named(claim.character_name, <Found text={claim.character_name} search={search} />)
          )}
        </span>
        {isHeld || photo ? null : <OnlineMark hunt={{ ...claim, date }} />}
        {fresh ? <span className={styles.fresh}>{t('board.new')}</span> : null}
        {part ? (
          <span className={styles.part}>
            <span className={styles.long}>{t('board.splitPart', { part })}</span>
            <span className={styles.short} data-text={`${part}/2`} />
          </span>
        ) : null}
        {claim.standing_id === null ? null : <WeeklySign />}
        {mine ? <span className={classes(styles.word, styles.you)}>{t('board.you')}</span> : null}
        {claim.is_secondary_claim ? (
          <span className={styles.part}>
            {t('board.priority', { priority: claim.secondary_priority })}
            <span className="visually-hidden"> {t('board.secondary')}</span>
          </span>
        ) : null}
        {isOn ? <span className={styles.word}>{t('time.now')}</span> : null}
        <span className={styles.type}>
          <MemberTypeBadge memberType={claim.member_type} />
        </span>
      </div>
      {photo ? null : <OfferNote claim_id={claim.id} />}
      {mine && !photo ? (
        <div className={styles.actions}>
          <OwnClaimButtons claim={claim} small />
        </div>
      ) : null}
    </li>
  );
}

const MAX_NAMED = 2;

interface OtherDaysProps {
  days: readonly OtherDay[];
  after: string;
  viewer: string | null;
  search: string;
  /** On a tile: only the count. */
  brief?: boolean;
}

/** The spot's claims on other days, collapsed. Search results are shown without expanding. */
export function OtherDays({
  days,
  after,
  viewer,
  search,
  brief = false,
}: OtherDaysProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const [open, setOpen] = useState(false);
  const listId = useId();
  if (days.length === 0) return null;
  // Future days first.
  const inOrder = [
    ...days.filter((day) => day.date > after),
    ...days.filter((day) => day.date < after),
  ];
  const named = inOrder
    .slice(0, MAX_NAMED)
    .map((day) =>
      t('board.claimsOn', { date: dayText(day.date, 'short'), count: day.claims.length }),
    );
  const more = days.length - MAX_NAMED;
  const summary = brief
    ? t('board.otherDays', { count: days.length })
    : [...named, ...(more > 0 ? [t('board.moreDays', { count: more })] : [])].join(' · ');
  const visibleDays = open ? days : foundOn(days, wordsOf(search));
  return (
    <div className={classes(styles.others, brief && styles.brief)}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <span className="ellipsis">{summary}</span>
        <ChevronDownIcon size={14} />
      </button>
      <div id={listId} hidden={visibleDays.length === 0}>
        {visibleDays.map((day) => (
          <section key={day.date}>
            <h4 className={styles.day}>{dayText(day.date)}</h4>
            <ClaimList
              claims={day.claims}
              date={day.date}
              viewer={viewer}
              hour={null}
              search={search}
              narrow={brief && !open}
            />
          </section>
        ))}
      </div>
    </div>
  );
}

interface OwnNameProps {
  claim: ClaimOnRespawn;
  name: string;
  children: ReactNode;
}

/** The viewer's own name: a press opens *More*, the button of which the keyboard reaches. */
function OwnName({ claim, name, children }: OwnNameProps): ReactNode {
  const { more } = ownActions(claim, useOwnFacts());
  return more.length === 0 ? (
    <span className={styles.name} title={name}>
      {children}
    </span>
  ) : (
    <button
      type="button"
      tabIndex={-1}
      aria-haspopup="menu"
      className={styles.name}
      title={name}
      onClick={({ currentTarget }) => toggleOwnMenu(claim, currentTarget, 'more')}
    >
      {children}
    </button>
  );
}
