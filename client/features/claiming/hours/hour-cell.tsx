import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isSkipped } from '../../../../shared/rules/server-save.ts';
import type { StartHour } from '../../../../shared/rules/start-hours.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import type { Choosing } from '../../../state/presence-store.ts';
import { classes } from '../../../ui/classes.ts';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { useTip } from '../../../ui/tooltip.tsx';
import styles from './hour-grid.module.css';

export interface HourCellProps {
  date: string;
  hour: StartHour;
  /** The chosen claim begins here. */
  isStart: boolean;
  /** The chosen claim covers it. */
  isYours: boolean;
  isTabStop: boolean;
  /** Others who are about to claim it. */
  choosing: readonly Choosing[];
  /** A taken hour can be chosen, too. */
  mayWait?: boolean | undefined;
  /** It could not be read whether somebody holds it. */
  isUnknown?: boolean | undefined;
  /** It has the focus, or was pressed and cannot be chosen. */
  onVisit: (isBlocked: boolean) => void;
  onChoose: () => void;
}

/** A start hour: what it is in words, not by colour alone; the whole sentence is its name and its tooltip. */
export function HourCell(props: HourCellProps): ReactNode {
  const { hour, isStart, isYours, isTabStop, choosing, mayWait = false, isUnknown = false, onVisit, onChoose } = props;
  const { name, sentence, word } = useCellWords(props);
  const tip = useTip(sentence);
  const isTaken = hour.state === 'taken';
  const isBlocked = hour.state !== 'free' && !(isTaken && mayWait);
  const isLost = isTaken && isYours && !mayWait;
  return (
    <button
      {...tip}
      type="button"
      data-hour={hour.hour}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={name}
      aria-pressed={isStart}
      // Not `disabled`: an hour that cannot be chosen can still be asked why.
      aria-disabled={isBlocked || undefined}
      className={classes(
        styles.cell,
        isYours && !isLost ? styles.yours : isTaken ? styles.taken : isBlocked && styles.blocked,
        isLost && styles.lost,
        hour.state === 'exceeds' && !isYours && styles.exceeds,
        hour.state === 'conflict' && !isYours && styles.conflict,
        hour.state === 'free' && isUnknown && !isYours && styles.unknown,
        choosing.length > 0 && !isTaken && !isYours && styles.choosing,
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
      {/* Drawn, not written: what a control has written on it is to be in its name, which says it in a sentence. */}
      <span className={styles.word} data-word={word} aria-hidden="true" />
    </button>
  );
}

interface CellWords {
  /** The accessible name. */
  name: string;
  /** The tooltip. */
  sentence: string;
  /** What fits into the cell. */
  word: string;
}

/** What the hour is, and who else is choosing it as long as it can be had. */
function useCellWords(props: HourCellProps): CellWords {
  const { t } = useTranslation();
  const words = useHourWords(props);
  const { hour, isYours, choosing } = props;
  const names = choosing.map((choice) => choice.name ?? t('board.presence.anAdmin'));
  const [first] = choosing;
  if (!first || hour.state === 'taken') return words;
  const too = t('submit.cell.choosing', { name: names.join(', '), count: names.length });
  return {
    name: `${words.name}. ${too}`,
    sentence: `${words.sentence}. ${too}`,
    word: hour.state === 'free' && !isYours ? (first.name?.split(' ')[0] ?? t('shell.profile.admin')) : words.word,
  };
}

function useHourWords({ date, hour: { hour, state, max_duration }, isYours, mayWait, isUnknown }: HourCellProps): CellWords {
  const { t } = useTranslation();
  const time = useLocalTime()(date, hour);
  const clock = useServerSaveClock();
  const ss = t('time.hour', { hour });
  const yourTime = t('submit.cell.freeName', { hour: ss, time });
  if (state === 'taken' && mayWait) {
    const name = t('submit.cell.waitName', { hour: ss, time });
    return { name, sentence: name, word: t(isYours ? 'submit.cell.waits' : 'submit.cell.taken') };
  }
  if (state === 'taken') {
    const reason = t('submit.reason.taken');
    return {
      name: t('submit.cell.takenName', { hour: ss, reason }),
      sentence: t('submit.cell.blockedName', { hour: ss, reason }),
      word: t('submit.cell.taken'),
    };
  }
  if (isYours) return { name: t('submit.cell.yoursName', { hour: ss, time }), sentence: yourTime, word: t('submit.cell.yours') };
  if (state === 'free' && isUnknown) {
    const name = t('submit.cell.unknownName', { hour: ss, time });
    return { name, sentence: name, word: t('submit.cell.unknown') };
  }
  if (state === 'free' && isSkipped(date, hour, clock)) {
    const name = t('submit.cell.blockedName', { hour: ss, reason: t('time.skipped') });
    return { name, sentence: name, word: t('submit.cell.skipped') };
  }
  if (state === 'free') return { name: yourTime, sentence: yourTime, word: time };
  const name = t('submit.cell.blockedName', { hour: ss, reason: t(`submit.reason.${state}`, { hours: max_duration }) });
  return { name, sentence: name, word: t(`submit.cell.${state}`, { hours: max_duration }) };
}
