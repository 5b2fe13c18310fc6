import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { useMinutesLeft } from '../../../state/clock.ts';
import { closeOverlay, openOverlay } from '../../../state/overlays.ts';
import type { Profile } from '../../../state/saved-sessions.ts';
import { useSession } from '../../../state/session-store.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Found } from '../../../ui/found.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { ChevronDownIcon, QueueIcon } from '../../../ui/icons.tsx';
import { useTip } from '../../../ui/tooltip.tsx';
import styles from './waitlist.module.css';

interface HoldTextProps {
  name: string;
  /** null: a picture of the board shows no minutes. */
  until: string | null;
  /** Matches of a search are marked. */
  search?: string;
  /** Wraps the text; the wrapper gets the text for its accessible name. */
  wrap?: (text: string, node: ReactNode) => ReactNode;
}

/** "held for Arden, 7 min". A component of its own, so that only it renders every minute. */
export function HoldText({
  name,
  until,
  search = '',
  wrap = (_, node) => node,
}: HoldTextProps): ReactNode {
  const { t } = useTranslation();
  const count = useMinutesLeft(until);
  const held = t('board.waitlist.held', { name });
  const minutes = until === null ? '' : `, ${t('time.minutes', { count })}`;
  return wrap(
    held + minutes,
    <>
      <span className={styles.heldFor}>
        <Found text={held} search={search} />
      </span>
      {minutes}
    </>,
  );
}

interface JoinButtonProps {
  claim: HourRange & { respawn_id: number };
  date: string;
  /** How many members are on the waitlist for some of its hours. */
  count: number;
  /** The claimant, as a text and as it is shown. */
  name: string;
  children: ReactNode;
}

/** The claimant of hours; a press opens their waitlist. */
export function JoinButton({ claim, date, count, name, children }: JoinButtonProps): ReactNode {
  const { t } = useTranslation();
  const tip = useTip(() =>
    [
      t('board.waitlist.joinTheseHours'),
      ...(count > 0 ? [t('board.waitlist.count', { count })] : []),
    ].join(' · '),
  );
  const { respawn_id, hour_start, hour_end } = claim;
  return (
    <button
      {...tip}
      type="button"
      aria-haspopup="dialog"
      aria-label={[
        name,
        ...(count > 0 ? [t('board.waitlist.count', { count })] : []),
        t('board.waitlist.joinTheseHours'),
      ].join('. ')}
      className={styles.join}
      onClick={({ currentTarget: anchor }) =>
        openOverlay('joinWaitlist', { request: { respawn_id, date, hour_start, hour_end, anchor } })
      }
    >
      <span>{children}</span>
      <span className={styles.sign} aria-hidden="true">
        <QueueIcon size={14} />
        {/* Drawn, not written: the accessible name has the count in words. */}
        {count > 0 ? <span data-count={count} /> : null}
      </span>
    </button>
  );
}

interface WaitlistProps {
  waitlist: readonly Wait[];
  date: string;
}

/**
 * "2 waiting · you are number 2": opens to the entries. Nothing where no one is waiting: an offer is at the bottom of the page for its
 * member, and in the list of claims as held hours for all others.
 */
export function WaitlistLine({ waitlist, date }: WaitlistProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const listId = useId();
  const profiles = useSession((session) => session.profiles);
  const waiting = waitlist.filter((entry) => entry.status === 'waiting');
  if (waiting.length === 0) return null;
  const own = waiting.find((entry) => profileOf(entry, profiles));
  return (
    <div className={styles.line}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <span>{t('board.waitlist.count', { count: waiting.length })}</span>
        {own ? (
          <span className="own small">
            {t('board.waitlist.yourPosition', { place: own.position })}
          </span>
        ) : null}
        <ChevronDownIcon size={14} />
      </button>
      <div id={listId} hidden={!open}>
        {open ? <WaitlistEntries waitlist={waitlist} date={date} /> : null}
      </div>
    </div>
  );
}

const profileOf = ({ character_name }: Wait, profiles: readonly Profile[]): Profile | undefined =>
  profiles.find(({ characterName }) => nameKey(characterName) === nameKey(character_name));

/** Asks before a member leaves. The panel that the button may be in would be above the question. */
function leave(wait_id: number): void {
  closeOverlay('joinWaitlist');
  openOverlay('leaveWaitlist', { wait_id });
}

/** The entries with their positions; members can leave with their own. */
export function WaitlistEntries({ waitlist, date }: WaitlistProps): ReactNode {
  const { t } = useTranslation();
  const profiles = useSession((session) => session.profiles);
  return (
    <ol className={styles.entries}>
      {waitlist.map((entry) => {
        const profile = profileOf(entry, profiles);
        return (
          <li key={entry.id} className={classes(styles.entry, profile && styles.mine)}>
            <span className={styles.position}>{entry.position}.</span>
            <HoursText
              date={date}
              start={entry.hour_start}
              end={entry.hour_end}
              className={styles.hours}
            />
            <span className={styles.name}>{entry.character_name}</span>
            {profile ? <span className="own small">{t('board.you')}</span> : null}
            {entry.status === 'offered' ? (
              <span className={styles.offered}>{t('board.waitlist.offered')}</span>
            ) : null}
            {profile && entry.status === 'waiting' ? (
              <Button small variant="quiet" onClick={() => leave(entry.id)}>
                {t('board.waitlist.leave')}
              </Button>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}

/** "taken, in Double week": the event of hours that the board does not list. */
export function useElsewhereText(): (hours: OccupiedHours) => string {
  const { t } = useTranslation();
  return ({ event_name }) =>
    event_name === null
      ? t('board.otherEvents.noEvent')
      : t('board.otherEvents.inEvent', { event: event_name });
}

interface HoursElsewhereProps {
  respawn_id: number;
  date: string;
  hours: readonly OccupiedHours[];
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  /** The viewer may join the waitlist for hours from this one on; null: not on this date. */
  joinFrom: number | null;
}

/** The hours that claims of other events occupy, below those of this one. */
export function HoursElsewhere({
  respawn_id,
  date,
  hours,
  viewer,
  joinFrom,
}: HoursElsewhereProps): ReactNode {
  const { t } = useTranslation();
  const elsewhereText = useElsewhereText();
  if (hours.length === 0) return null;
  return (
    <ul aria-label={t('board.otherEvents.list')} className={styles.elsewhere}>
      {hours.map((one) => {
        const { id, character_name, hour_start, hour_end } = one;
        const name = `${character_name}, ${elsewhereText(one)}`;
        const isMine = nameKey(character_name) === viewer;
        return (
          <li key={`${id} ${hour_start}`}>
            <HoursText date={date} start={hour_start} end={hour_end} className="tabular" />
            <span className={styles.claimant}>
              {!isMine && joinFrom !== null && hour_end > joinFrom ? (
                <JoinButton
                  claim={{ respawn_id, hour_start, hour_end }}
                  date={date}
                  count={0}
                  name={name}
                >
                  {name}
                </JoinButton>
              ) : (
                name
              )}
            </span>
            {isMine ? <span className="own">{t('board.you')}</span> : null}
          </li>
        );
      })}
    </ul>
  );
}
