import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../shared/rules/names.ts';
import { HOURS_IN_DAY, isSkipped } from '../../../shared/rules/server-save.ts';
import type { StartHour, StartOffer } from '../../../shared/rules/start-hours.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import type { Choosing } from '../../state/presence-store.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { useLocalTime } from '../../ui/hours/hours-text.tsx';
import { MEDIA } from '../../ui/media.ts';
import { useTip } from '../../ui/tooltip.tsx';
import type { Taken } from '../claiming/draft/check.ts';
import styles from './hour-grid.module.css';

interface HourGridProps {
  label: string;
  /** The date of the local times. */
  date: string;
  hours: readonly StartHour[];
  /** The occupied hours, and by whom. */
  taken: readonly Taken[];
  /** Whose claims among them are the viewer's own. */
  claimant?: string | undefined;
  duration: number;
  chosen: number | null;
  onChoose: (hour: number) => void;
  /** Hours that others are choosing; they are still free. */
  choosing?: readonly Choosing[] | undefined;
  /** Six columns at any width. */
  narrow?: boolean | undefined;
  /** A taken hour can be chosen, too, and looks like any other: a secondary claim is for these. */
  mayBeTaken?: boolean | undefined;
  /** The claims could not be loaded: hours are not called free. */
  isUnknown?: boolean | undefined;
  /** Called with an hour that was visited and cannot be chosen; with null for one that can. */
  onBlocked?: ((hour: number | null) => void) | undefined;
}

/** The 24 start hours of a day. One tab stop: arrow keys move, Home and End jump, Enter chooses. */
export function HourGrid(props: HourGridProps): ReactNode {
  const {
    label,
    date,
    hours,
    taken,
    claimant = '',
    duration,
    chosen,
    onChoose,
    choosing = [],
    narrow,
    mayBeTaken,
    isUnknown,
    onBlocked,
  } = props;
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
    <div
      role="group"
      aria-label={label}
      className={classes(styles.grid, narrow && styles.narrow)}
      onKeyDown={onKeyDown}
    >
      {hours.map((hour) => (
        <HourCell
          key={hour.hour}
          date={date}
          hour={hour}
          isStart={hour.hour === chosen}
          isChosen={chosen !== null && hour.hour >= chosen && hour.hour < chosen + duration}
          holder={taken.find(
            (range) => range.hour_start <= hour.hour && hour.hour < range.hour_end,
          )}
          claimant={claimant}
          choosing={choosing.filter(
            (choice) => choice.hour_start <= hour.hour && hour.hour < choice.hour_end,
          )}
          mayBeTaken={mayBeTaken}
          isUnknown={isUnknown}
          isTabStop={hour.hour === tabStop}
          onVisit={(isBlocked) => {
            setVisited(hour.hour);
            onBlocked?.(isBlocked ? hour.hour : null);
          }}
          onChoose={() => {
            onBlocked?.(null);
            onChoose(hour.hour);
          }}
        />
      ))}
    </div>
  );
}

interface HourCellProps {
  date: string;
  hour: StartHour;
  isStart: boolean;
  isChosen: boolean;
  holder: Taken | undefined;
  claimant: string;
  isTabStop: boolean;
  choosing: readonly Choosing[];
  mayBeTaken?: boolean | undefined;
  isUnknown?: boolean | undefined;
  /** It has the focus, or was pressed and cannot be chosen. */
  onVisit: (isBlocked: boolean) => void;
  onChoose: () => void;
}

/** A start hour with its state in words, not by colour alone. The whole sentence is its name and its tooltip. */
function HourCell(props: HourCellProps): ReactNode {
  const {
    hour,
    isStart,
    isChosen,
    isTabStop,
    choosing,
    mayBeTaken = false,
    isUnknown = false,
    onVisit,
    onChoose,
  } = props;
  const { name, sentence, word } = useCellWords(props);
  const tip = useTip(sentence);
  const isTaken = hour.state === 'taken';
  const isBlocked = hour.state !== 'free' && !(isTaken && mayBeTaken);
  const isLost = isTaken && isChosen && !mayBeTaken;
  return (
    <button
      {...tip}
      type="button"
      data-hour={hour.hour}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={name}
      aria-pressed={isStart}
      // Not `disabled`: a blocked hour still says why.
      aria-disabled={isBlocked || undefined}
      className={classes(
        styles.cell,
        isChosen && !isLost
          ? styles.chosen
          : isTaken && !mayBeTaken
            ? styles.taken
            : isBlocked && styles.blocked,
        isLost && styles.lost,
        hour.state === 'exceeds' && !isChosen && styles.exceeds,
        hour.state === 'conflict' && !isChosen && styles.conflict,
        hour.state === 'free' && isUnknown && !isChosen && styles.unknown,
        choosing.length > 0 && !isTaken && !isChosen && styles.choosing,
      )}
      onFocus={(event) => {
        onVisit(isBlocked);
        tip.onFocus?.(event);
      }}
      onClick={(event) => {
        if (!isBlocked) return onChoose();
        onVisit(true);
        tip.onClick?.(event);
      }}
    >
      <span className={styles.hour}>+{hour.hour}</span>
      {/* Drawn, not written: the accessible name has it in a sentence. */}
      <span className={styles.word} data-word={word} aria-hidden="true" />
    </button>
  );
}

interface CellWords {
  name: string;
  sentence: string;
  word: string;
}

/** The hour's state, and who else is choosing it while it is free. */
function useCellWords(props: HourCellProps): CellWords {
  const { t } = useTranslation();
  const words = useHourWords(props);
  const { hour, isChosen, choosing } = props;
  const names = choosing.map((choice) => choice.name ?? t('board.presence.anAdmin'));
  const [first] = choosing;
  if (!first || hour.state === 'taken') return words;
  const too = t('submit.cell.choosing', { name: names.join(', '), count: names.length });
  return {
    name: `${words.name}. ${too}`,
    sentence: `${words.sentence}. ${too}`,
    word:
      hour.state === 'free' && !isChosen
        ? (first.name?.split(' ')[0] ?? t('shell.profile.admin'))
        : words.word,
  };
}

function useHourWords(props: HourCellProps): CellWords {
  const { date, hour: ofHour, isChosen, holder, claimant, mayBeTaken, isUnknown } = props;
  const { hour, state, max_duration } = ofHour;
  const { t } = useTranslation();
  const time = useLocalTime()(date, hour);
  const clock = useServerSaveClock();
  const ss = t('time.hour', { hour });
  const yourTime = t('submit.cell.freeName', { hour: ss, time });
  const heldBy = (text: string): string => {
    if (!holder) return text;
    const hours = t('time.range', { start: holder.hour_start, end: holder.hour_end });
    return t('submit.cell.heldBy', { text, name: holder.character_name, hours });
  };
  if (state === 'taken' && mayBeTaken) {
    const name = heldBy(t('submit.cell.takenButName', { hour: ss, time }));
    return {
      name,
      sentence: name,
      word: isChosen ? time : t('submit.cell.taken'),
    };
  }
  if (state === 'taken') {
    const reason = t('submit.reason.taken');
    const isOwn = holder !== undefined && nameKey(holder.character_name) === nameKey(claimant);
    return {
      name: heldBy(t('submit.cell.takenName', { hour: ss, reason })),
      sentence: heldBy(t('submit.cell.blockedName', { hour: ss, reason })),
      word: t(isOwn ? 'submit.cell.yours' : 'submit.cell.taken'),
    };
  }
  if (isChosen)
    return {
      name: t('submit.cell.chosenName', { hour: ss, time }),
      sentence: yourTime,
      word: time,
    };
  if (state === 'free' && isUnknown) {
    const name = t('submit.cell.unknownName', { hour: ss, time });
    return { name, sentence: name, word: t('submit.cell.unknown') };
  }
  if (state === 'free' && isSkipped(date, hour, clock)) {
    const name = t('submit.cell.blockedName', { hour: ss, reason: t('time.skipped') });
    return { name, sentence: name, word: t('submit.cell.skipped') };
  }
  if (state === 'free') return { name: yourTime, sentence: yourTime, word: time };
  const name = t('submit.cell.blockedName', {
    hour: ss,
    reason: t(`submit.reason.${state}`, { hours: max_duration }),
  });
  return { name, sentence: name, word: t(`submit.cell.${state}`, { hours: max_duration }) };
}

/** More durations than fit on one line of a phone become a list. */
const MAX_IN_A_ROW = 8;

interface DurationChoiceProps {
  label: string;
  duration: number;
  /** The longest, in hours. */
  voucher: number;
  disabled: boolean;
  onChoose: (duration: number) => void;
}

/** From one hour to the voucher. Any can be chosen: the start hours show where it fits. */
export function DurationChoice({
  label,
  duration,
  voucher,
  disabled,
  onChoose,
}: DurationChoiceProps): ReactNode {
  const { t } = useTranslation();
  const options = Array.from({ length: voucher }, (_, i) => ({
    value: String(i + 1),
    label: t('submit.hours', { count: i + 1 }),
    disabled,
  }));
  const props = {
    label,
    value: String(duration),
    options,
    onChange: (value: string) => onChoose(Number(value)),
  };
  return voucher > MAX_IN_A_ROW ? (
    <Select {...props} disabled={disabled} wide={false} />
  ) : (
    <Segmented {...props} tight={voucher > 6} />
  );
}

interface HourStatusProps {
  offers: readonly StartOffer[];
  isWrong: boolean;
  /** Read out at once: it answers a press of the form's button. */
  isMistake?: boolean | undefined;
  onTake: (offer: StartOffer) => void;
  children: ReactNode;
}

/** The line above the hours of a claim, or of a part of it, with starts that fit instead. */
export function HourStatus({
  offers,
  isWrong,
  isMistake,
  onTake,
  children,
}: HourStatusProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.status}>
      {/* A live region for mistakes only: a blocked hour has the reason in its name. */}
      <p
        role={isMistake ? 'alert' : undefined}
        className={classes(styles.text, isWrong && styles.bad)}
      >
        {children}
      </p>
      {offers.map((offer) => (
        <Button
          key={offer.hour_start}
          small
          className={styles.offer}
          aria-label={t('submit.takeOffer', { hour: offer.hour_start, hours: offer.duration })}
          onClick={() => onTake(offer)}
        >
          {t('submit.offer', { hour: offer.hour_start, hours: offer.duration })}
        </Button>
      ))}
    </div>
  );
}
