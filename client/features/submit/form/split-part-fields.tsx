import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hoursExist } from '../../../../shared/rules/claim-time.ts';
import { offersInstead, type StartHour, type StartOffer, startHours } from '../../../../shared/rules/start-hours.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import { useChoosing } from '../../../state/presence-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoosingLines } from '../../../ui/hours/choosing-lines.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { TakenText, useRefusalText } from '../../claiming/claim-words.tsx';
import type { SplitDraft, SplitProblem } from '../../claiming/draft/split-check.ts';
import type { Taken } from '../../claiming/draft/taken.ts';
import { DurationChoice } from '../../claiming/hours/duration-choice.tsx';
import { HourGrid } from '../../claiming/hours/hour-grid.tsx';
import { HourStatus } from '../../claiming/hours/row-status.tsx';
import { RespawnPicker } from './respawn-picker.tsx';
import styles from './split-dialog.module.css';

export interface SplitPartFieldsProps {
  part: SplitDraft;
  date: string;
  voucher: number;
  isWholeEvent: boolean;
  /** What others hold of its respawn. */
  taken: readonly Taken[];
  /** How many hours of the date are over. */
  over: number;
  problem: SplitProblem | null;
  /** Who holds its respawn could not be read. */
  hasFailed: boolean;
  onAskAgain: () => void;
  onChange: (part: SplitDraft) => void;
}

/** One part: where, when, for how long; and what is wrong with it. */
export function SplitPartFields(props: SplitPartFieldsProps): ReactNode {
  const { part, date, voucher, taken, over, isWholeEvent, onChange } = props;
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const choosing = useChoosing(part.respawn_id, date);
  const name = t('submit.split.part', { part: part.part_number });
  // The other part lasts an hour at least.
  const longest = Math.max(1, voucher - 1);
  const clock = useServerSaveClock();
  const hours = startHours(part.duration, longest, taken, over, (asked) => hoursExist(asked, isWholeEvent ? null : date, { clock }));
  const fields = useRef<HTMLFieldSetElement>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const inQuestion = hours[asked ?? part.hour_start];
  const take = (offer: StartOffer): void => {
    setAsked(null);
    onChange({ ...part, ...offer });
    // The button that was pressed is gone.
    fields.current?.querySelector<HTMLElement>(`[data-hour="${offer.hour_start}"]`)?.focus();
  };
  return (
    <fieldset ref={fields} className={styles.part}>
      <legend className={styles.legend}>
        {name}
        <HoursText date={date} start={part.hour_start} end={part.hour_start + part.duration} className={styles.hours ?? ''} />
      </legend>
      <RespawnPicker
        label={t('submit.split.respawn', { part: part.part_number })}
        respawns={[...respawns.values()]}
        chosen={part.respawn_id === null ? undefined : respawns.get(part.respawn_id)}
        onChoose={(respawn_id) => onChange({ ...part, respawn_id })}
      />
      {inQuestion ? <PartStatus hour={inQuestion} part={part} hours={hours} onTake={take} /> : null}
      <HourGrid
        narrow
        label={t('submit.startHours', { date: name })}
        date={date}
        hours={hours}
        duration={part.duration}
        chosen={part.hour_start}
        choosing={choosing}
        onAsk={setAsked}
        onChoose={(hour_start) => onChange({ ...part, hour_start })}
      />
      <ChoosingLines choosing={choosing} date={date} />
      <DurationChoice
        label={t('submit.durationOf', { date: name })}
        duration={part.duration}
        voucher={longest}
        disabled={false}
        onChoose={(duration) => onChange({ ...part, duration })}
      />
      <PartMessages {...props} />
    </fieldset>
  );
}

interface PartStatusProps {
  /** The start that was pressed though it cannot be chosen, else the chosen one. */
  hour: StartHour;
  part: SplitDraft;
  hours: readonly StartHour[];
  onTake: (offer: StartOffer) => void;
}

/** What can be had beside a start that cannot; whose the hours are stands below. */
function PartStatus({ hour, part, hours, onTake }: PartStatusProps): ReactNode {
  const { t } = useTranslation();
  const name = t('submit.split.part', { part: part.part_number });
  const text =
    hour.state === 'free'
      ? t('submit.startHour', { date: name })
      : t('submit.cell.blockedName', {
          hour: t('time.hour', { hour: hour.hour }),
          reason: t(`submit.reason.${hour.state}`, { hours: hour.max_duration }),
        });
  return (
    <HourStatus offers={offersInstead(hour.hour, part.duration, hours)} isWrong={hour.state !== 'free'} onTake={onTake}>
      {text}
    </HourStatus>
  );
}

function PartMessages({ problem, isWholeEvent, hasFailed, onAskAgain }: SplitPartFieldsProps): ReactNode {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  return (
    <>
      {hasFailed ? (
        <Alert
          title={t('submit.claimsFailed')}
          action={
            <Button small onClick={onAskAgain}>
              {t('common.tryAgain')}
            </Button>
          }
        >
          {t('submit.claimsFailedText')}
        </Alert>
      ) : null}
      {problem ? (
        <Alert tone="bad" title={refusalText(problem.refusal)}>
          {problem.taken ? <TakenText taken={problem.taken} isWholeEvent={isWholeEvent} /> : null}
        </Alert>
      ) : null}
    </>
  );
}
