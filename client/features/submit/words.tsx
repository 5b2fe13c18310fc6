import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type HourRange, wouldExceedDay } from '../../../shared/rules/hours.ts';
import { lengthOf } from '../../../shared/rules/stretch.ts';
import { useDayText } from '../../lib/time-text.ts';
import { HoursText } from '../../ui/hours/hours-text.tsx';
import type { RowProblem, Taken } from '../claiming/draft/check.ts';
import type { Period } from '../claiming/draft/draft.ts';
import { useRefusalText } from '../claiming/words.ts';

const isBeyondDay = ({ hour_start, hour_end }: HourRange): boolean =>
  wouldExceedDay(hour_start, hour_end - hour_start);

/** Chosen hours in words. No day has an SS+26: beyond the day it is "SS+22, 4 h". */
export function useChoiceText(): (hours: HourRange) => string {
  const { t } = useTranslation();
  return (hours) => {
    const { hour_start, hour_end } = hours;
    return isBeyondDay(hours)
      ? t('submit.offer', { hour: hour_start, hours: lengthOf(hours) })
      : t('time.range', { start: hour_start, end: hour_end });
  };
}

/** Chosen hours, with the viewer's local time on hover or focus where they are of the day. */
export function ChoiceHours({
  date,
  hours,
  className,
}: {
  date: string;
  hours: HourRange;
  className?: string | undefined;
}): ReactNode {
  const choiceText = useChoiceText();
  if (isBeyondDay(hours)) return <span className={className}>{choiceText(hours)}</span>;
  return (
    <HoursText date={date} start={hours.hour_start} end={hours.hour_end} className={className} />
  );
}

export function TakenText({
  taken,
  isWholeEvent,
}: {
  taken: Taken;
  isWholeEvent: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const name = taken.character_name;
  const hours = t('time.range', { start: taken.hour_start, end: taken.hour_end });
  return isWholeEvent
    ? t('submit.takenByOn', { name, hours, date: dayText(taken.date) })
    : t('submit.takenBy', { name, hours });
}

export function useRowName(): (view: { period: Period }, isWholeEvent: boolean) => string {
  const { t } = useTranslation();
  const dayText = useDayText();
  return (view, isWholeEvent) => {
    const { first, last } = view.period;
    return isWholeEvent
      ? t('time.clockRange', { start: dayText(first), end: dayText(last) })
      : dayText(first);
  };
}

/** The character for whom hours are held on a date; null: the date has a claim. */
export const heldFor = (problem: RowProblem | null): string | null =>
  problem?.kind === 'character-has-claim'
    ? (problem.held.find(({ held_for }) => held_for)?.held_for ?? null)
    : null;

export function useProblemText(): (problem: RowProblem) => string {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  return (problem) => {
    switch (problem.kind) {
      case 'character-has-claim': {
        const name = heldFor(problem);
        return name ? t('submit.heldFor', { name }) : t('errors.claim.characterHasClaim');
      }
      case 'hour-missing':
        return t('submit.hourRequired');
      case 'conflict':
      case 'refused':
        return refusalText(problem.refusal);
    }
  };
}

/** One line that says why a row cannot be submitted; the warning itself is beside its date. */
export function useBlockedText(): (problem: RowProblem, character_name: string) => string {
  const { t } = useTranslation();
  const problemText = useProblemText();
  return (problem, character_name) => {
    if (problem.kind === 'conflict') return t('submit.timeConflict');
    if (problem.kind !== 'character-has-claim') return problemText(problem);
    return t(heldFor(problem) ? 'submit.dateOnlyHeld' : 'submit.dateTaken', {
      name: character_name,
    });
  };
}
