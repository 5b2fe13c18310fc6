import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimTime } from '../../../shared/rules/claim-time.ts';
import { hoursExist } from '../../../shared/rules/claim-time.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import {
  DEFAULT_SPLIT_STARTS,
  defaultSplitDurations,
  partRange,
} from '../../../shared/rules/split.ts';
import {
  offersInstead,
  type StartHour,
  type StartOffer,
  startHours,
} from '../../../shared/rules/start-hours.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import { useChoosing } from '../../state/presence-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ChoosingLines } from '../../ui/hours/choosing-lines.tsx';
import { useAvailability } from '../claiming/draft/availability.ts';
import {
  hoursOverOn,
  lastDay,
  type SplitDraft,
  type SplitProblem,
  splitProblems,
  type Taken,
} from '../claiming/draft/check.ts';
import {
  type DraftRow,
  durationOf,
  type Period,
  type SplitParts,
} from '../claiming/draft/draft.ts';
import { RespawnPicker } from '../claiming/respawn-picker.tsx';
import { useRefusalText } from '../claiming/words.ts';
import { DurationChoice, HourGrid, HourStatus } from './hour-grid.tsx';
import styles from './split-dialog.module.css';
import { ChoiceHours, TakenText } from './words.tsx';

interface SplitDialogProps {
  row: DraftRow;
  /** One date, or all of a single_claim event; `name` says which. */
  period: Period;
  name: string;
  event: ActiveEvent | null;
  time: ClaimTime;
  voucher: number;
  /** The chosen spot, which the first part begins with, and its taken hours. */
  respawn_id: number | null;
  taken: readonly Taken[];
  onApply: (split: SplitParts) => void;
  onClose: () => void;
}

type Draft = readonly [SplitDraft, SplitDraft];

export function SplitDialog(props: SplitDialogProps): ReactNode {
  const { row, period, name, event, time, voucher, onApply, onClose } = props;
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  const [draft, setDraft] = useState<Draft>(() => row.split ?? openingParts(props));
  const respawns = useBoard((board) => board.byKind.respawn);
  const availability = useAvailability(
    draft.flatMap(({ respawn_id }) => (respawn_id === null ? [] : [{ respawn_id, period }])),
  );
  const takenAt = (id: number | null) => availability.takenIn(id, period);
  const problems = splitProblems(draft, {
    voucher,
    isWholeEvent: event?.type === 'single_claim',
    date: lastDay(row, { event }),
    time,
    takenAt,
    respawns,
  });
  const between = problems.filter((problem) => problem.part_number === null);
  const complete = placed(draft);

  const change = (changed: SplitDraft): void => {
    const put = (part: SplitDraft): SplitDraft =>
      part.part_number === changed.part_number ? changed : part;
    setDraft([put(draft[0]), put(draft[1])]);
  };

  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('submit.split.title', { date: name })}
      description={t('submit.split.text', { hours: voucher })}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            disabled={!complete || problems.length > 0}
            onClick={() => {
              if (!complete || problems.length > 0) return;
              onApply(complete);
              onClose();
            }}
          >
            {t('submit.split.apply')}
          </Button>
        </>
      }
    >
      <div className={styles.parts}>
        {draft.map((part) => (
          <SplitPartFields
            key={part.part_number}
            part={part}
            period={period}
            dateName={name}
            voucher={voucher}
            isWholeEvent={event?.type === 'single_claim'}
            taken={takenAt(part.respawn_id)}
            over={hoursOverOn(row, { event, time })}
            problem={problems.find((problem) => problem.part_number === part.part_number) ?? null}
            hasFailed={availability.stateOf(part.respawn_id, period) === 'failed'}
            onRetry={availability.askAgain}
            onChange={change}
          />
        ))}
      </div>
      {draft
        .filter((part) => part.respawn_id === null)
        .map(({ part_number }) => (
          <p key={part_number} className="muted fine">
            {t('submit.split.partAt', {
              part: part_number,
              respawn: t('errors.claim.selectRespawn'),
            })}
          </p>
        ))}
      {between.map(({ refusal }) => (
        <Alert key={refusal.code} tone="bad">
          {refusalText(refusal)}
        </Alert>
      ))}
    </Dialog>
  );
}

/**
 * The parts as the dialog opens: the chosen hours in two halves, or else half the voucher each from SS+10 and SS+14 (R5.1). They move
 * to the nearest hours that can be claimed, so that the dialog does not open with an error.
 */
function openingParts({ row, event, time, voucher, respawn_id, taken }: SplitDialogProps): Draft {
  const { hour_start } = row;
  const [first, second] = defaultSplitDurations(
    hour_start === null ? voucher : durationOf(row, voucher),
  ) ?? [1, 1];
  const [firstStart, secondStart] =
    hour_start === null ? DEFAULT_SPLIT_STARTS : [hour_start, hour_start + first];
  const date = event?.type === 'single_claim' ? null : row.date;
  const nearest = (wanted: StartOffer, occupied: readonly HourRange[]): StartOffer | null => {
    const hours = startHours(wanted.duration, wanted.duration, {
      taken: occupied,
      over: hoursOverOn(row, { event, time }),
      exist: (range) => hoursExist(range, date, time),
    });
    const [found] = hours
      .filter(({ state }) => state === 'free')
      .sort((a, b) => Math.abs(a.hour - wanted.hour_start) - Math.abs(b.hour - wanted.hour_start));
    if (found) return { ...wanted, hour_start: found.hour };
    return wanted.duration > 1
      ? nearest({ ...wanted, duration: wanted.duration - 1 }, occupied)
      : null;
  };
  const one = { hour_start: firstStart, duration: first };
  const onSpot = nearest(one, taken);
  const opening = onSpot ?? nearest(one, []) ?? one;
  const two = { hour_start: secondStart, duration: second };
  return [
    // A spot without free hours is left out.
    { part_number: 1, respawn_id: onSpot && respawn_id, ...opening },
    {
      part_number: 2,
      respawn_id: null,
      ...(nearest(two, [partRange({ part_number: 1, ...opening })]) ?? two),
    },
  ];
}

/** The parts once each has its respawn. */
function placed([first, second]: Draft): SplitParts | null {
  if (first.respawn_id === null || second.respawn_id === null) return null;
  return [
    { ...first, respawn_id: first.respawn_id },
    { ...second, respawn_id: second.respawn_id },
  ];
}

interface SplitPartFieldsProps {
  part: SplitDraft;
  period: Period;
  dateName: string;
  voucher: number;
  isWholeEvent: boolean;
  /** The taken hours of its respawn. */
  taken: readonly Taken[];
  /** How many hours of the date are over. */
  over: number;
  problem: SplitProblem | null;
  /** The claims on its respawn could not be loaded. */
  hasFailed: boolean;
  onRetry: () => void;
  onChange: (part: SplitDraft) => void;
}

function SplitPartFields(props: SplitPartFieldsProps): ReactNode {
  const { part, period, dateName, voucher, taken, over, isWholeEvent, onChange } = props;
  const date = period.first;
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const choosing = useChoosing(part.respawn_id, date);
  const name = t('submit.split.part', { part: part.part_number });
  // The other part lasts an hour at least.
  const longest = Math.max(1, voucher - 1);
  const clock = useServerSaveClock();
  const hours = startHours(part.duration, longest, {
    taken,
    over,
    exist: (wanted) => hoursExist(wanted, isWholeEvent ? null : date, { clock }),
  });
  const fields = useRef<HTMLFieldSetElement>(null);
  const [blockedHour, setBlockedHour] = useState<number | null>(null);
  const inQuestion = hours[blockedHour ?? part.hour_start];
  const take = (offer: StartOffer): void => {
    setBlockedHour(null);
    onChange({ ...part, ...offer });
    // The pressed button disappears.
    fields.current?.querySelector<HTMLElement>(`[data-hour="${offer.hour_start}"]`)?.focus();
  };
  return (
    <fieldset ref={fields} className={styles.part}>
      <legend className={styles.legend}>
        {name}
        <ChoiceHours date={date} hours={partRange(part)} className={styles.hours} />
      </legend>
      <RespawnPicker
        label={t('submit.split.respawn', { part: part.part_number })}
        respawns={[...respawns.values()]}
        chosen={part.respawn_id === null ? undefined : respawns.get(part.respawn_id)}
        on={{ period, name: dateName, over }}
        onChoose={(respawn_id) => onChange({ ...part, respawn_id })}
      />
      {inQuestion ? <PartStatus hour={inQuestion} part={part} hours={hours} onTake={take} /> : null}
      <HourGrid
        narrow
        label={t('submit.startHours', { date: name })}
        date={date}
        hours={hours}
        taken={taken}
        duration={part.duration}
        chosen={part.hour_start}
        choosing={choosing}
        onBlocked={setBlockedHour}
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
  /** The start that was visited though it cannot be chosen, else the chosen one. */
  hour: StartHour;
  part: SplitDraft;
  hours: readonly StartHour[];
  onTake: (offer: StartOffer) => void;
}

/** The part's start, and starts that fit instead. The claim in the way is named below. */
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
    <HourStatus
      offers={offersInstead(hour.hour, part.duration, hours)}
      isWrong={hour.state !== 'free'}
      onTake={onTake}
    >
      {text}
    </HourStatus>
  );
}

function PartMessages({
  problem,
  isWholeEvent,
  hasFailed,
  onRetry,
}: SplitPartFieldsProps): ReactNode {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  return (
    <>
      {hasFailed ? (
        <Alert
          title={t('load.claims')}
          action={
            <Button small onClick={onRetry}>
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
