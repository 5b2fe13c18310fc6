import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import type { StartHour } from '../../../../shared/rules/start-hours.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import type { Choosing } from '../../../state/presence-store.ts';
import { classes } from '../../../ui/classes.ts';
import { MEDIA } from '../../../ui/media.ts';
import { HourCell } from './hour-cell.tsx';
import styles from './hour-grid.module.css';

/** The grid of a phone has six columns, as its style sheet says. */

export interface HourGridProps {
  label: string;
  /** For local times. */
  date: string;
  hours: readonly StartHour[];
  duration: number;
  chosen: number | null;
  onChoose: (hour: number) => void;
  /** What others are about to claim there: it stays free. */
  choosing?: readonly Choosing[] | undefined;
  /** In a narrow place. */
  narrow?: boolean | undefined;
  /** A taken hour can be chosen, too: the claim waits for it. */
  mayWait?: boolean | undefined;
  /** Who holds what could not be read: an hour nobody is known to hold is not called free. */
  isUnknown?: boolean | undefined;
  /** Hears of an hour that is visited and cannot be chosen, and of null when one that can is. */
  onAsk?: ((hour: number | null) => void) | undefined;
}

/** The 24 start hours of a day. One tab stop: arrow keys move, Home and End jump, Enter chooses. */
export function HourGrid(props: HourGridProps): ReactNode {
  const { label, date, hours, duration, chosen, onChoose, choosing = [], narrow, mayWait, isUnknown, onAsk } = props;
  const isPhone = useMediaQuery(MEDIA.small);
  const columns = narrow || isPhone ? 6 : 12;
  const [visited, setVisited] = useState<number | null>(null);
  const tabStop = visited ?? chosen ?? hours.find((hour) => hour.state === 'free')?.hour ?? 0;

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const target: Record<string, number | undefined> = {
      ArrowRight: tabStop + 1,
      ArrowLeft: tabStop - 1,
      ArrowDown: tabStop + columns,
      ArrowUp: tabStop - columns,
      Home: 0,
      End: HOURS_IN_DAY - 1,
    };
    const to = target[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0 || to >= HOURS_IN_DAY) return;
    setVisited(to);
    event.currentTarget.querySelector<HTMLElement>(`[data-hour="${to}"]`)?.focus();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own layout and disabling
    <div role="group" aria-label={label} className={classes(styles.grid, narrow && styles.narrow)} onKeyDown={onKeyDown}>
      {hours.map((hour) => (
        <HourCell
          key={hour.hour}
          date={date}
          hour={hour}
          isStart={hour.hour === chosen}
          isYours={chosen !== null && hour.hour >= chosen && hour.hour < chosen + duration}
          choosing={choosing.filter((choice) => choice.hour_start <= hour.hour && hour.hour < choice.hour_end)}
          mayWait={mayWait}
          isUnknown={isUnknown}
          isTabStop={hour.hour === tabStop}
          onVisit={(isBlocked) => {
            setVisited(hour.hour);
            onAsk?.(isBlocked ? hour.hour : null);
          }}
          onChoose={() => {
            onAsk?.(null);
            onChoose(hour.hour);
          }}
        />
      ))}
    </div>
  );
}
