import {
  type CSSProperties,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { useFollowPointer } from '../../../lib/follow-pointer.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMinutesLeft } from '../../../state/clock.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { useMay } from '../../../state/permissions.ts';
import { classes } from '../../../ui/classes.ts';
import { useLocalHours } from '../../../ui/hours/hours-text.tsx';
import { QueueIcon, RepeatIcon, UserIcon } from '../../../ui/icons.tsx';
import { useMemberTypeColor } from '../../../ui/member-type-badge.tsx';
import { hideTip, useTip } from '../../../ui/tooltip.tsx';
import { type TypeLook, typeLook } from '../../../ui/type-look.ts';
import { claimsOn } from '../../claiming/day-claims.ts';
import { ChosenLabel, useHoursLabel } from '../../claiming/in-place/chosen-hours.tsx';
import { edgeAt } from '../../claiming/in-place/hours-box.ts';
import { useOnlineWords } from '../../claiming/online-mark.tsx';
import { type OwnAction, ownActions, useOwnFacts } from '../../claiming/own/own-actions.ts';
import { toggleOwnMenu } from '../../claiming/own/own-claim-buttons.tsx';
import { ownEntry, waitingFor } from '../../claiming/waitlist/waitlist.ts';
import { useJustChanged } from '../live-changes.tsx';
import { type DayCell, laneOf } from './day-cells.ts';
import styles from './spot-row.module.css';
import { cellProps } from './timeline-rows.ts';

interface ClaimBarProps {
  cell: Extract<DayCell, { kind: 'claim' | 'waiting' }>;
  date: string;
  mine: boolean;
  /** The waitlist of this spot and date. */
  line: readonly Wait[];
  /** The viewer may join the waitlist for these hours. */
  isOffered: boolean;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  tabIndex: 0 | -1;
}

/** A claim's bar: who and when; the tooltip has all of it with the viewer's own time. */
export function ClaimBar(props: ClaimBarProps): ReactNode {
  return props.mine ? <OwnBar {...props} /> : <Bar {...props} own={[]} />;
}

/** The viewer's own bar has its own clock: its actions change with the hours. */
function OwnBar(props: ClaimBarProps): ReactNode {
  return <Bar {...props} own={ownActions(props.cell.claim, useOwnFacts()).all} />;
}

interface BarProps extends ClaimBarProps {
  own: readonly OwnAction[];
}

function Bar({ cell, date, mine, line, isOffered, viewer, tabIndex, own }: BarProps): ReactNode {
  const { t } = useTranslation();
  const localHours = useLocalHours();
  const { claim, hour_start: start, hour_end: end, key } = cell;
  const fresh = useJustChanged((just) => just.rows.has(key));
  const color = useMemberTypeColor(claim.member_type);
  const look = typeLook(claim.member_type, color);
  const isWaiting = cell.kind === 'waiting';
  const priority = t('board.priority', { priority: claim.secondary_priority });
  const hours = t('time.range', { start, end });
  const isHeld = claim.is_held === 1;
  const waiting = isWaiting ? [] : waitingFor(cell, line);
  const entry = ownEntry(waiting, viewer);
  const minutes = useMinutesLeft(isHeld ? claim.held_until : null);
  const held = t('board.waitlist.heldShort', { minutes });
  const name = isHeld ? `${claim.character_name}, ${held}` : claim.character_name;
  const words = useOnlineWords({ ...claim, date });
  const online = isHeld || isWaiting ? null : words;
  const about = [
    claim.member_type,
    ...(online === null ? [] : [online]),
    ...(mine ? [t('board.you')] : []),
    ...(isWaiting ? [`${priority} ${t('board.secondary')}`] : []),
    ...(claim.split_part_number ? [t('board.splitPart', { part: claim.split_part_number })] : []),
    ...(claim.standing_id === null ? [] : [t('weeklyClaim.one')]),
    ...(waiting.length > 0 ? [t('board.waitlist.count', { count: waiting.length })] : []),
    ...(entry ? [t('board.waitlist.yourPosition', { place: entry.position })] : []),
  ].join(', ');
  const isAdmin = useMay('claims');
  // Only what the press opens.
  const toDo = [
    ...(isOffered ? [t('board.waitlist.joinTheseHours')] : []),
    ...(isAdmin ? [] : own.map(({ label, to }) => t(label, { to }))),
  ];
  const tip = useTip(() =>
    [`${name} (${about})`, hours, localHours(date, start, end), ...toDo].join(' · '),
  );
  const menu = {
    'aria-haspopup': 'dialog',
    onClick: ({ currentTarget }: MouseEvent<HTMLElement>): void =>
      openOverlay('claimActions', {
        request: { claim, anchor: currentTarget, ...(isOffered ? { waitlist_date: date } : {}) },
      }),
  } as const;
  const ownMenu = {
    'aria-haspopup': 'menu',
    onClick: ({ currentTarget }: MouseEvent<HTMLElement>): void =>
      toggleOwnMenu(claim, currentTarget, 'all'),
  } as const;
  const { respawn_id } = claim;
  const wait = {
    'aria-haspopup': 'dialog',
    onClick: ({ currentTarget: anchor }: MouseEvent<HTMLElement>): void =>
      openOverlay('joinWaitlist', {
        request: { respawn_id, date, hour_start: start, hour_end: end, anchor },
      }),
  } as const;
  return (
    <div {...cellProps(cell)} className={styles.cell}>
      <button
        {...tip}
        {...(isAdmin ? menu : own.length > 0 ? ownMenu : isOffered ? wait : {})}
        type="button"
        tabIndex={tabIndex}
        data-hour={start}
        data-lane={laneOf(cell)}
        aria-label={[isWaiting ? `${priority} ${name}` : name, hours, about, ...toDo].join(', ')}
        className={classes(
          styles.bar,
          isWaiting && styles.waiting,
          isHeld && styles.held,
          waiting.length > 0 && styles.queued,
          mine && styles.mine,
          fresh && styles.fresh,
        )}
        data-word={longestWord(claim.character_name)}
        data-long={[...claim.character_name].length >= LONG_NAME || undefined}
        style={barStyle(cell, look)}
      >
        <span className={styles.who}>
          {/* Before the name, which may run around it; beside it where there is room. */}
          {waiting.length > 0 ? (
            <span className={classes(styles.queue, entry && styles.ownPlace)} aria-hidden="true">
              <QueueIcon size={9} />
              <span data-count={waiting.length} />
            </span>
          ) : null}
          {/* Drawn, not written: what a control has written on it is to be in its name. */}
          {isWaiting ? null : (
            <span className={styles.letter} data-letter={look.letter} aria-hidden="true" />
          )}
          {online === null ? null : <span className={styles.online} aria-hidden="true" />}
          {mine ? <UserIcon size={12} /> : null}
          {claim.standing_id === null ? null : <RepeatIcon size={10} />}
          {isWaiting ? <span className="muted">{priority}</span> : null}
          <span
            className={styles.initials}
            data-initials={initialsOf(claim.character_name)}
            aria-hidden="true"
          />
          <span className={styles.whole}>{claim.character_name}</span>
        </span>
        {isWaiting ? null : ' '}
        {isWaiting ? null : <span className={styles.when}>{isHeld ? held : hours}</span>}
        {isAdmin && !isWaiting && !isHeld && !claim.is_split_claim ? (
          <BarEnds claim={claim} date={date} />
        ) : null}
      </button>
    </div>
  );
}

/** The hours position its piece of the current-time line. */
function barStyle(cell: ClaimBarProps['cell'], { ground, text }: TypeLook): CSSProperties {
  const hours = { '--start': cell.hour_start, '--length': cell.hour_end - cell.hour_start };
  return { '--type': ground, '--on-type': text, '--lane': laneOf(cell), ...hours };
}

/** "AV": shown where the name doesn't fit. */
const initialsOf = (name: string): string =>
  name
    .split(' ')
    .map((word) => [...word][0] ?? '')
    .slice(0, 3)
    .join('');

/** From this many characters, a name takes both lines of a bar of three hours. */
const LONG_NAME = 10;

/** Breakpoints of the longest word of a name, in characters, as the style sheet has them. */
const WORDS = [4, 6, 8, 10] as const;
function longestWord(name: string): (typeof WORDS)[number] | 'long' {
  const longest = Math.max(...name.split(' ').map((word) => [...word].length));
  return WORDS.find((most) => longest <= most) ?? 'long';
}

interface BarEndsProps {
  claim: ClaimOnRespawn;
  /** The server-save date in view: a claim of a whole event has none. */
  date: string;
}

interface EndDrag {
  bar: HTMLElement;
  row: HTMLElement;
  end: keyof HourRange;
  hours: HourRange;
  isMoved: boolean;
}

/**
 * Handles at the ends of an admin's bar. Dragging one with the mouse previews new hours; releasing opens the dialog filled in. Touch
 * scrolls, and the keyboard uses the bar's menu.
 */
function BarEnds({ claim, date }: BarEndsProps): ReactNode {
  const [dragged, setDragged] = useState<Pick<EndDrag, 'row' | 'hours'> | null>(null);
  const follow = useFollowPointer<EndDrag>({
    onMove: (drag, { clientX }) => {
      const { row, end, hours: before } = drag;
      const to = edgeAt(row, clientX);
      const least = end === 'hour_start' ? 0 : before.hour_start + 1;
      const most = end === 'hour_start' ? before.hour_end - 1 : HOURS_IN_DAY;
      const hours = { ...before, [end]: Math.min(Math.max(to, least), most) };
      if (hours[end] === before[end]) return;
      drag.hours = hours;
      drag.isMoved = true;
      hideTip();
      setDragged({ row, hours });
    },
    onRelease: ({ bar, end, hours, isMoved }) => {
      setDragged(null);
      if (hours[end] !== claim[end]) {
        bar.focus({ preventScroll: true });
        openOverlay('claimActions', {
          request: { claim, anchor: bar, action: 'edit', times: hours },
        });
      }
      return isMoved;
    },
    onCancel: () => setDragged(null),
  });

  const onPointerDown = (end: keyof HourRange, event: PointerEvent<HTMLElement>): void => {
    const bar = event.currentTarget.closest('button');
    const row = event.currentTarget.closest<HTMLElement>('[role="row"]');
    if (event.pointerType !== 'mouse' || event.button !== 0 || !bar || !row) return;
    const { hour_start, hour_end } = claim;
    follow(event, { bar, row, end, hours: { hour_start, hour_end }, isMoved: false });
  };

  return (
    <>
      {(['hour_start', 'hour_end'] as const).map((end) => (
        <span
          key={end}
          data-end={end}
          data-dragged={dragged ? '' : undefined}
          className={styles.end}
          onPointerDown={(event) => onPointerDown(end, event)}
        />
      ))}
      {dragged ? (
        <DraggedHours claim={claim} date={date} row={dragged.row} hours={dragged.hours} />
      ) : null}
    </>
  );
}

/** The new hours, and whose claims they overlap. */
function DraggedHours({
  claim,
  date,
  row,
  hours,
}: BarEndsProps & { row: HTMLElement; hours: HourRange }): ReactNode {
  const { t } = useTranslation();
  const labelOf = useHoursLabel();
  const box = useRef<HTMLDivElement>(null);
  const there = useBoard((board) => board.claimsByRespawn.get(claim.respawn_id)) ?? [];
  const hit = claimsOn(date, there).filter(
    (other) => other.id !== claim.id && !other.is_secondary_claim && rangesOverlap(other, hours),
  );
  const text = labelOf(date, hours);
  const names = hit.map((other) => other.character_name).join(', ');
  return (
    <>
      {createPortal(
        <div
          ref={box}
          aria-hidden="true"
          className={classes(styles.dragged, hit.length > 0 && styles.blocked)}
          style={cellProps(hours).style}
        />,
        row,
      )}
      <ChosenLabel
        anchor={box}
        text={names ? t('board.timeline.searchMatch', { hours: text, names }) : text}
      />
    </>
  );
}
