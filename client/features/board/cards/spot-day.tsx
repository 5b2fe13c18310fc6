import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { startRing, useShownSpot } from '../../../state/board-place.ts';
import { useClaimRefusal } from '../../../state/claimable.ts';
import type { Choosing } from '../../../state/presence-store.ts';
import { toggleStar, useIsStarred } from '../../../state/stars.ts';
import { HourStrip, useStripBar } from '../../../ui/hours/hour-strip.tsx';
import { StarIcon } from '../../../ui/icons.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { ownEntry } from '../../claiming/waitlist/waitlist.ts';
import { useElsewhereText } from '../../claiming/waitlist/waitlist-parts.tsx';
import styles from './spot-tile.module.css';

interface DayStripProps {
  date: string;
  claims: readonly ClaimOnRespawn[];
  /** The hours that claims of other events occupy on that date. */
  elsewhere?: readonly OccupiedHours[];
  choosing: readonly Choosing[];
  /** The SS time in hours with a fraction, when the date is today. */
  now: number | null;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  /** The waitlist; the viewer's own entry is highlighted. */
  line?: readonly Wait[];
  /** The searched hours, which the spot has free. */
  wanted?: HourRange | null;
  /** On a tile, which has its own text beside the strip. */
  small?: boolean;
  /** The id of the spot whose hours can be chosen here. */
  claimOf?: number | undefined;
}

/** A spot's day as a strip. The caller adds what can be done with its hours. */
export function DayStrip({
  date,
  claims,
  elsewhere = [],
  choosing,
  now,
  viewer,
  line = [],
  wanted = null,
  small = false,
  claimOf,
}: DayStripProps): ReactNode {
  const dayText = useDayText();
  const takenBy = useElsewhereText();
  const barOf = useStripBar(viewer);
  const isClosed = useClaimRefusal(date) !== null;
  const bars = claims.map(barOf);
  for (const hours of elsewhere) {
    const { id, hour_start, hour_end } = hours;
    bars.push({
      key: `elsewhere ${id} ${hour_start}`,
      kind: 'elsewhere',
      hour_start,
      hour_end,
      title: `${hours.character_name}, ${takenBy(hours)}`,
    });
  }
  for (const { id, hour_start, hour_end } of choosing)
    bars.push({ key: `${id} ${hour_start}`, kind: 'choosing', hour_start, hour_end });
  if (wanted) bars.push({ key: 'searched', kind: 'searched', ...wanted });
  const own = ownEntry(line, viewer);
  if (own?.status === 'waiting')
    bars.push({
      key: `wait ${own.id}`,
      kind: 'wanted',
      hour_start: own.hour_start,
      hour_end: own.hour_end,
    });
  return (
    <HourStrip
      bars={bars}
      now={now}
      small={small}
      label={small ? undefined : dayText(date)}
      claimOf={isClosed ? undefined : claimOf}
    />
  );
}

/** Stars or unstars the spot. `aria-pressed` carries the state, so the name stays. */
export function StarButton({ id, name }: { id: number; name: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const starred = useIsStarred(id);
  const toggle = (): Promise<void> =>
    toggleStar(id).catch((error) =>
      showToast({
        tone: 'bad',
        text: t(starred ? 'board.unstarFailed' : 'board.starFailed', {
          name,
          reason: errorText(error),
        }),
      }),
    );
  return (
    <button
      type="button"
      className={styles.star}
      aria-pressed={starred}
      aria-label={t('board.star', { name })}
      title={t(starred ? 'board.starred' : 'board.notStarred')}
      onClick={() => void toggle()}
    >
      <StarIcon />
    </button>
  );
}

/**
 * Scrolls to the spot when it is to be shown on this date.
 * @returns a ref for it, and whether to highlight it
 */
export function useRing<E extends HTMLElement>(
  respawn_id: number,
  date: string,
): [RefObject<E | null>, boolean] {
  const ref = useRef<E>(null);
  const shownSpot = useShownSpot(({ spot }) =>
    spot?.respawn_id === respawn_id && spot.date === date ? spot : null,
  );
  useEffect(() => {
    if (!shownSpot) return;
    ref.current?.scrollIntoView({ block: 'center' });
    if (shownSpot.takesFocus)
      ref.current?.querySelector<HTMLElement>('a[href], button')?.focus({ preventScroll: true });
    startRing();
  }, [shownSpot]);
  return [ref, shownSpot !== null];
}
