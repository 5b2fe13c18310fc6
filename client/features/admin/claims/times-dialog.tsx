import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DomainError, type ErrorCode } from '../../../../shared/errors.ts';
import { assertTimesValid } from '../../../../shared/rules/edit-times.ts';
import { type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { editClaimTimes } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useEditConflict } from '../../../lib/use-edit-conflict.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useInterruptedEdit, useKeepEdit } from '../forms/drafts.ts';
import { EditConflictNotice } from '../forms/edit-conflict.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import { type ClaimIndex, findClaim, findSecondary } from './claim-groups.ts';
import { useDayInWords } from './claim-words.tsx';
import styles from './claims.module.css';
import { DayOverview, useDayClaims } from './day-overview.tsx';

interface TimesDialogProps {
  /** The claim it was opened with; null: it is closed. */
  claim: ClaimOnRespawn | null;
  /** The hours shown at first; without them the claim's own. */
  begin?: HourRange | undefined;
  sources: readonly ClaimIndex[];
  /** All claims are loaded: one that is not found is gone. */
  complete: boolean;
  onClose: () => void;
}

export function TimesDialog({
  claim,
  begin,
  sources,
  complete,
  onClose,
}: TimesDialogProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const respawns = useBoard((board) => board.byKind.respawn);
  const respawn = (claim && respawns.get(claim.respawn_id)?.name) ?? '';
  const secondary = claim && findSecondary(sources, claim);
  return (
    <Dialog
      open={claim !== null}
      onOpenChange={onClose}
      title={t('admin.claims.form.title')}
      description={
        claim
          ? t('admin.claims.form.about', {
              name: claim.character_name,
              respawn,
              day: dayInWords(claim),
            })
          : null
      }
    >
      {claim ? (
        <TimesForm
          edited={claim}
          begin={begin ?? claim}
          live={findClaim(sources, claim) ?? (complete ? undefined : claim)}
          secondarySpot={secondary ? (respawns.get(secondary.respawn_id)?.name ?? '') : null}
          onDone={onClose}
        />
      ) : null}
    </Dialog>
  );
}

interface TimesFormProps {
  edited: ClaimOnRespawn;
  /** The hours to begin with. */
  begin: HourRange;
  /** The claim as it is now; undefined if it is gone. */
  live: ClaimOnRespawn | undefined;
  /** R5.7: the spot of the secondary claim whose length follows; null without one. */
  secondarySpot: string | null;
  onDone: () => void;
}

/** Moves a claim to other hours of its day. A refusal leaves the typed hours in place. */
function TimesForm({ edited, begin, live, secondarySpot, onDone }: TimesFormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  // Dragged hours are not those that were typed.
  const draft = `times of claim ${edited.id} from ${begin.hour_start} to ${begin.hour_end}`;
  const { opened, values } = useInterruptedEdit<ClaimOnRespawn, TimesTyped>(draft) ?? {
    opened: edited,
    values: typedOf(begin),
  };
  const [typed, setTyped] = useState(values);
  const [tried, setTried] = useState(false);
  const save = useAction({
    work: async (times: ReturnType<typeof timesOf> | null) => {
      if (times) await editClaimTimes(opened.id, times.hour_start, times.hour_end);
    },
    done: (_saved, times) => {
      if (times)
        offerUndo(t('admin.claims.updated'), {
          action: 'claim_updated',
          matches: ({ claim_id }) => claim_id === opened.id,
          undone: t('admin.claims.form.setBack'),
        });
      else showToast({ text: t('admin.claims.updated') });
      onDone();
    },
  });
  const notice = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const edit = useEditConflict<ClaimOnRespawn, TimesTyped>({
    opened,
    live,
    valuesOf: typedOf,
    differing: differingTimes,
    typed,
    fill: setTyped,
    saving: save.isBusy,
  });
  const times = timesOf(typed);
  const refusal = timesRefusal(times);
  // Another admin may have moved it to another spot or date.
  const now = live ?? opened;
  const { others, status } = useDayClaims(now);
  const blocking = refusal ? [] : conflicting(now, times, others);
  const whyId = useId();
  const errorAt = (field: keyof TimesTyped): string | undefined =>
    tried && refusal?.field === field ? t(`errors.${refusal.code}`, {}) : undefined;

  // Hours that were dragged are not typed: dragging again is as quick as an answer.
  const isTyped = differingTimes(typedOf(begin), typed).length > 0;
  const isChanged = edit.stored !== null && differingTimes(typedOf(edit.stored), typed).length > 0;
  useKeepEdit(draft, isChanged ? { opened: edit.stored, values: typed } : null);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (save.isBusy) return;
    setTried(true);
    if (edit.theirs) notice.current?.focus();
    else if (refusal)
      form.current?.querySelector<HTMLElement>(`[name="${refusal.field}"]`)?.focus();
    else if (blocking.length === 0) save.run(isChanged ? times : null);
  };
  const change = (field: keyof TimesTyped, value: string): void => {
    save.forget();
    setTyped((now) => ({ ...now, [field]: value }));
  };

  return (
    <form ref={form} noValidate className={styles.form} onSubmit={submit}>
      <div className={styles.times}>
        {(['hour_start', 'hour_end'] as const).map((field) => (
          <HourField
            key={field}
            field={field}
            value={typed[field]}
            claim={now}
            error={errorAt(field)}
            onChange={(value) => change(field, value)}
          />
        ))}
      </div>
      {secondarySpot === null ? null : (
        <p className={styles.hint}>
          {t('admin.claims.form.secondaryFollows', { respawn: secondarySpot })}
        </p>
      )}
      <DayOverview
        claim={now}
        times={refusal ? null : times}
        others={others}
        status={status}
        onChange={(field, hour) => change(field, `${hour}`)}
      />
      <div id={whyId} className={others.length > 0 ? styles.why : undefined}>
        {blocking.length > 0 ? (
          <Alert tone="accent">
            {t('admin.claims.form.taken', {
              names: blocking.map((other) => other.character_name).join(', '),
            })}
          </Alert>
        ) : null}
      </div>
      <EditConflictNotice
        ref={notice}
        what="claim"
        edit={edit}
        labelOf={(field) => t(`admin.claims.form.${field}`)}
        inWords={(field, theirs) => t('time.hour', { hour: theirs[field] })}
      />
      {save.failure ? <TimesFailure error={save.failure} reason={errorText(save.failure)} /> : null}
      <DialogActions onCancel={onDone} busy={save.isBusy} isChanged={isTyped}>
        <Button
          type="submit"
          variant="primary"
          busy={save.isBusy}
          disabled={edit.outcome === 'deleted'}
          aria-disabled={blocking.length > 0 || undefined}
          aria-describedby={whyId}
        >
          {t('admin.claims.form.save')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** A refusal has a reason; without an answer the outcome is unknown. */
function TimesFailure({ error, reason }: { error: unknown; reason: string }): ReactNode {
  const { t } = useTranslation();
  const isAnswered = error instanceof ApiError && error.code !== 'network.failed';
  return isAnswered ? (
    <Alert tone="bad">{t('admin.claims.updateFailed', { reason })}</Alert>
  ) : (
    <Alert tone="bad" title={t('admin.claims.updateError')}>
      {reason}
    </Alert>
  );
}

const BOUNDS = {
  hour_start: { min: 0, max: HOURS_IN_DAY - 1 },
  hour_end: { min: 1, max: HOURS_IN_DAY },
} as const;

interface HourFieldProps {
  field: keyof TimesTyped;
  value: string;
  /** For the local time of its date. */
  claim: ClaimOnRespawn;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** An SS hour, with its local time. */
function HourField({ field, value, claim, error, onChange }: HourFieldProps): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const localTime = useLocalTime();
  const { min, max } = BOUNDS[field];
  const hour = Number(value);
  const isHour = value !== '' && Number.isInteger(hour) && hour >= min && hour <= max;
  return (
    <Field
      label={t(`admin.claims.form.${field}`)}
      hint={
        isHour
          ? t('time.localTime', { time: localTime(claim.date ?? today, hour) })
          : t('admin.claims.form.between', { min, max })
      }
      error={error}
    >
      <TextInput
        name={field}
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        step={1}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

/** The hours of a claim as typed. */
interface TimesTyped {
  hour_start: string;
  hour_end: string;
}
const TIME_FIELDS = ['hour_start', 'hour_end'] as const;

const typedOf = ({ hour_start, hour_end }: HourRange): TimesTyped => ({
  hour_start: `${hour_start}`,
  hour_end: `${hour_end}`,
});

const hourOf = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed));

const timesOf = ({ hour_start, hour_end }: TimesTyped): HourRange => ({
  hour_start: hourOf(hour_start),
  hour_end: hourOf(hour_end),
});

/** "08" and "8" are the same hour. */
function differingTimes(before: TimesTyped, after: TimesTyped): (keyof TimesTyped)[] {
  return TIME_FIELDS.filter((field) => !Object.is(hourOf(before[field]), hourOf(after[field])));
}

interface TimesRefusal {
  field: keyof TimesTyped;
  code: ErrorCode;
}

/** R4.13: why the hours are invalid, and in which field; null: they are valid. */
function timesRefusal(times: HourRange): TimesRefusal | null {
  try {
    assertTimesValid(times);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isAtStart =
      error.code === 'times.startOutOfRange' ||
      (error.code === 'times.invalid' && !Number.isInteger(times.hour_start));
    return { field: isAtStart ? 'hour_start' : 'hour_end', code: error.code };
  }
}

/** R4.7: the claims that overlap the hours. A secondary claim never conflicts. */
export function conflicting(
  claim: ClaimOnRespawn,
  times: HourRange,
  others: readonly ClaimOnRespawn[],
): ClaimOnRespawn[] {
  if (claim.is_secondary_claim) return [];
  return others.filter((other) => !other.is_secondary_claim && rangesOverlap(times, other));
}
