import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { offersInstead, type StartHour, type StartOffer } from '../../../../shared/rules/start-hours.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { useProblemText } from '../claim-words.tsx';
import type { RowView } from '../draft/row-view.ts';
import styles from './row-status.module.css';

export interface RowStatusProps {
  view: RowView;
  /** What the row is called. */
  name: string;
  /** A start hour that was pressed though it cannot be chosen. */
  asked: number | null;
  onTake: (offer: StartOffer) => void;
}

/**
 * The one line between the dates and the hours, as high with something to say as without: whatever is said, the hours stay where
 * they are. Beside a start that cannot be had stands what can, one press away.
 */
export function RowStatus({ view, name, asked, onTake }: RowStatusProps): ReactNode {
  const { t } = useTranslation();
  const chosen = view.row.hour_start;
  const inQuestion = asked ?? (view.problem ? chosen : null);
  const hour = inQuestion === null ? undefined : view.hours[inQuestion];
  const isChosen = (offer: StartOffer): boolean => offer.hour_start === chosen && offer.duration === view.duration;
  const isHeld = view.problem?.of === 'character-has-claim';
  const offers = hour && !isHeld ? offersInstead(hour.hour, view.duration, view.hours).filter((offer) => !isChosen(offer)) : [];
  const why = useWhyNot(view, hour);
  return (
    <HourStatus offers={offers} isWrong={why !== null} onTake={onTake}>
      {why ?? t('submit.startHour', { date: name })}
    </HourStatus>
  );
}

export interface HourStatusProps {
  offers: readonly StartOffer[];
  isWrong: boolean;
  onTake: (offer: StartOffer) => void;
  children: ReactNode;
}

/** What is said above the hours of a claim, or of a part of it, and what could be had instead. */
export function HourStatus({ offers, isWrong, onTake, children }: HourStatusProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.status}>
      {/* An asked hour is named by itself, and a mistake is read out below: nothing here has to be. */}
      <p className={classes(styles.text, isWrong && styles.bad)}>{children}</p>
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

/** Why the hour in question cannot be had, in a few words; null where nothing is to be said. */
function useWhyNot({ problem, claimsFailed }: RowView, hour: StartHour | undefined): string | null {
  const { t } = useTranslation();
  const problemText = useProblemText();
  if (problem?.of === 'character-has-claim') return problemText(problem);
  if (hour && hour.state !== 'free') {
    const ss = t('time.hour', { hour: hour.hour });
    if (problem?.of === 'conflict' && hour.state === 'taken') {
      const { character_name, hour_start, hour_end } = problem.taken;
      return t('submit.heldBy', { name: character_name, hours: t('time.range', { start: hour_start, end: hour_end }) });
    }
    return t('submit.cell.blockedName', { hour: ss, reason: t(`submit.reason.${hour.state}`, { hours: hour.max_duration }) });
  }
  return claimsFailed ? t('submit.hoursUnknown') : null;
}
