import { type ReactNode, type SubmitEvent, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { DomainError, type ErrorCode } from '../../../../shared/errors.ts';
import { assertTimesValid } from '../../../../shared/rules/edit-times.ts';
import { type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { nameKey, tidyName } from '../../../../shared/rules/names.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { ClaimCharacter } from '../../../../shared/schemas/transfer.ts';
import { editClaim, moveClaimTo } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useClaimTime } from '../../../state/claim-time.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { useKnownCharacters } from '../../../state/known-characters.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { DateChips } from '../../../ui/fields/date-chips.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { SuggestedInput } from '../../../ui/fields/suggested-input.tsx';
import { differing, type FormFields, valuesOf } from '../../../ui/form/fields.ts';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { type RecordForm, useRecordForm } from '../../../ui/form/record-form.ts';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { datesOnOffer } from '../../claiming/draft/draft.ts';
import { NameHint } from '../../claiming/name-hint.tsx';
import { RespawnPicker } from '../../claiming/respawn-picker.tsx';
import { dialogDraft } from '../forms/drafts.ts';
import { FormNotes } from '../forms/form-notes.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import { type ClaimIndex, findClaim, findSecondary } from './claim-groups.ts';
import { useDayInWords } from './claim-words.tsx';
import styles from './claims.module.css';
import { DayOverview, useDayClaims } from './day-overview.tsx';

interface EditClaimProps {
  /** The claim as it was when the dialog was opened. */
  claim: ClaimOnRespawn;
  /** The hours shown at first, such as dragged ones; by default the claim's own. */
  begin?: HourRange | undefined;
  sources: readonly ClaimIndex[];
  /** All claims are loaded: one that is not found is gone. */
  complete: boolean;
  onClose: () => void;
}

/** Changes a claim's spot, date, hours and character. Of a split claim only the character. */
export function EditClaimDialog({ claim, onClose, ...rest }: EditClaimProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const respawn = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name ?? '');
  const about = { name: claim.character_name, respawn, day: dayInWords(claim) };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('admin.claims.form.title')}
      description={t('admin.claims.form.about', about)}
    >
      <EditClaimForm claim={claim} onClose={onClose} {...rest} />
    </Dialog>
  );
}

interface ClaimValues {
  respawn_id: number;
  /** null: every date of its event. */
  date: string | null;
  /** As typed. */
  hour_start: string;
  hour_end: string;
  character_name: string;
  /** Of another character; empty: the one that it is known to have. */
  member_type: string;
}
type ClaimInput = Omit<ClaimValues, keyof HourRange> & HourRange;
type ClaimForm = RecordForm<ClaimOnRespawn, ClaimValues, ClaimInput>;

const TIME_FIELDS = ['hour_start', 'hour_end'] as const;

/** R4.13, as the server judges it. */
const claimInput = z.custom<ClaimInput>().superRefine((input, check) => {
  const refuse = (field: keyof ClaimInput, message: ErrorCode): void =>
    check.addIssue({ code: 'custom', path: [field], message });
  if (input.character_name === '') refuse('character_name', 'character.nameRequired');
  const refusal = timesRefusal(input);
  if (refusal) refuse(refusal.field, refusal.code);
});

function EditClaimForm({
  claim: edited,
  begin,
  sources,
  complete,
  onClose,
}: EditClaimProps): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const { typeOf } = useKnownCharacters();
  const offerUndo = useOfferEditUndo();
  const fields = useClaimFields(findClaim(sources, edited) ?? edited);
  const [first] = useState(() => ({
    ...valuesOf(fields, edited),
    ...(begin && { hour_start: `${begin.hour_start}`, hour_end: `${begin.hour_end}` }),
  }));
  // Dragged hours are not those that were typed.
  const name = [`claim ${edited.id}`, ...(begin ? [begin.hour_start, begin.hour_end] : [])];
  const draft = dialogDraft<ClaimOnRespawn, ClaimValues>(name.join(' '));
  const characterOf = (
    stored: ClaimOnRespawn,
    { character_name, member_type }: ClaimInput,
  ): Omit<ClaimCharacter, 'seen'> => ({
    character_name,
    member_type: isSameName(character_name, stored.character_name)
      ? stored.member_type
      : member_type || typeOf(character_name) || stored.member_type,
  });
  const form: ClaimForm = useRecordForm({
    fields,
    schema: claimInput,
    checksAtSave: true,
    record: edited,
    live: (opened) => findClaim(sources, opened) ?? (complete ? undefined : opened),
    draft: { ...draft, read: () => draft.read() ?? { opened: edited, values: first } },
    update: async (stored, _change, { input, changed }) => {
      const { respawn_id, date, hour_start, hour_end } = stored;
      const character = changed.includes('character_name') && characterOf(stored, input);
      if (!changed.some(isOfPlace)) {
        const seen = { character_name: stored.character_name };
        if (character) await moveClaimTo(stored.id, { ...character, seen });
        return;
      }
      await editClaim(stored.id, {
        hour_start: input.hour_start,
        hour_end: input.hour_end,
        ...(changed.includes('respawn_id') && { respawn_id: input.respawn_id }),
        ...(changed.includes('date') && input.date !== null && { date: input.date }),
        ...character,
        seen: {
          respawn_id,
          date,
          hour_start,
          hour_end,
          ...(character && { character_name: stored.character_name }),
        },
      });
    },
    // A refusal has a reason; without an answer the outcome is unknown.
    refusalOf: (reason, error) =>
      error instanceof ApiError && error.code !== 'network.failed'
        ? { text: t('admin.claims.updateFailed', { reason }) }
        : { failed: t('admin.claims.updateError') },
    done: (stored, { input, changed }) => {
      if (stored) offerUndo(stored, input, changed);
      onClose();
    },
  });
  const { typed, conflict } = form;
  const now = conflict.stored ?? edited;
  // Another admin may have moved it to another spot or date.
  const there = { ...now, respawn_id: typed.respawn_id, date: typed.date };
  const { others, status } = useDayClaims(there);
  const times = timesOf(typed);
  const areValid = timesRefusal(times) === null;
  const blocking = areValid && !now.is_split_claim ? conflicting(now, times, others) : [];
  const secondary = findSecondary(sources, edited);
  const whyId = useId();
  const set = <F extends keyof ClaimValues>(field: F, value: ClaimValues[F]): void =>
    form.form.setValue<keyof ClaimValues>(field, value);
  const submit = (event: SubmitEvent): void => {
    if (blocking.length === 0 || conflict.theirs) form.submit(event);
    else event.preventDefault();
  };
  return (
    <Stack noValidate gap={4} as="form" onSubmit={submit}>
      {now.is_split_claim ? (
        <p className="faint small">{t('admin.claims.form.split')}</p>
      ) : (
        <>
          <PlaceFields form={form} claim={now} set={set} />
          <div className={styles.times}>
            {TIME_FIELDS.map((field) => (
              <HourField key={field} form={form} field={field} date={there.date} />
            ))}
          </div>
          {secondary ? (
            <p className="faint small">
              {t('admin.claims.form.secondaryFollows', {
                respawn: respawns.get(secondary.respawn_id)?.name ?? '',
              })}
            </p>
          ) : null}
          <DayOverview
            claim={there}
            times={areValid ? times : null}
            others={others}
            status={status}
            onChange={(field, hour) => set(field, `${hour}`)}
          />
        </>
      )}
      {now.is_secondary_claim ? null : <CharacterFields form={form} claim={now} />}
      <div id={whyId} className={others.length > 0 && !now.is_split_claim ? styles.why : undefined}>
        {blocking.length > 0 ? (
          <Alert tone="accent">
            {t('admin.claims.form.taken', {
              names: blocking.map(({ character_name }) => character_name).join(', '),
            })}
          </Alert>
        ) : null}
      </div>
      <FormNotes what="claim" form={form} />
      {form.error ? (
        <Alert tone="bad" title={form.failed}>
          {form.error}
        </Alert>
      ) : null}
      <DialogActions
        onCancel={onClose}
        busy={form.busy}
        // Dragging again is as quick as an answer.
        isChanged={form.isChanged && differing(fields, first, typed).length > 0}
      >
        <Button
          type="submit"
          variant="primary"
          busy={form.busy}
          disabled={conflict.outcome === 'deleted'}
          aria-disabled={blocking.length > 0 || undefined}
          aria-describedby={whyId}
        >
          {t('admin.events.form.save')}
        </Button>
      </DialogActions>
    </Stack>
  );
}

const PLACE = { respawn_id: true, date: true, hour_start: true, hour_end: true };

const isOfPlace = (field: keyof ClaimValues): boolean => field in PLACE;

/** Another spelling of the same name corrects it. */
const isSameName = (one: string, other: string): boolean => nameKey(one) === nameKey(other);

/** @param claim as it is stored */
function useClaimFields(claim: ClaimOnRespawn): FormFields<ClaimOnRespawn, ClaimValues> {
  const { t } = useTranslation();
  const dayText = useDayText();
  const respawns = useBoard((board) => board.byKind.respawn);
  const hour = (field: keyof HourRange) => ({
    label: t(`admin.claims.form.${field}`),
    from: (claim: ClaimOnRespawn) => `${claim[field]}`,
    // "08" and "8" are the same hour.
    send: hourOf,
    words: (typed: string) => t('time.hour', { hour: hourOf(typed) }),
  });
  return {
    respawn_id: {
      label: t('admin.claims.form.spot'),
      from: ({ respawn_id }) => respawn_id,
      words: (id) => respawns.get(id)?.name ?? '',
    },
    date: {
      label: t('admin.claims.form.date'),
      from: ({ date }) => date,
      words: (date) => date && dayText(date),
    },
    hour_start: hour('hour_start'),
    hour_end: hour('hour_end'),
    character_name: {
      label: t('admin.claims.form.character'),
      from: ({ character_name }) => character_name,
      send: tidyName,
    },
    member_type: {
      label: t('admin.claims.form.type'),
      from: () => '',
      // The choice remains when the former name is typed again.
      send: (type, { character_name }) =>
        isSameName(character_name, claim.character_name) ? '' : type,
    },
  };
}

interface FieldsProps {
  form: ClaimForm;
  /** As it is stored. */
  claim: ClaimOnRespawn;
}

/** The spot, and the date unless the claim keeps its own. */
function PlaceFields({
  form: { typed },
  claim,
  set,
}: FieldsProps & {
  set: <F extends keyof ClaimValues>(field: F, value: ClaimValues[F]) => void;
}): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const onBoard = useBoard((board) => board.claimsByRespawn);
  const dates = useDatesToMoveTo(claim);
  const { date: today } = useServerSaveTime();
  const spots = useMemo(
    () => [...respawns.values()].filter(({ is_enabled }) => is_enabled === 1),
    [respawns],
  );
  const isFree = (respawn_id: number): boolean => {
    const others = (onBoard.get(respawn_id) ?? []).filter(
      ({ id, date }) => id !== claim.id && (date === null || date === typed.date),
    );
    return conflicting(claim, timesOf(typed), others).length === 0;
  };
  return (
    <>
      <Stack gap={1}>
        <p className="muted fine medium">{t('admin.claims.form.spot')}</p>
        <RespawnPicker
          label={t('admin.claims.form.spot')}
          respawns={spots}
          chosen={respawns.get(typed.respawn_id)}
          onChoose={(respawn_id) => set('respawn_id', respawn_id)}
          fits={isFree}
        />
      </Stack>
      {dates.length > 0 && typed.date !== null ? (
        <Stack gap={1}>
          <p className="muted fine medium">{t('admin.claims.form.date')}</p>
          <DateChips
            low
            label={t('admin.claims.form.date')}
            dates={dates}
            value={typed.date}
            today={today}
            onChange={(date) => set('date', date)}
          />
        </Stack>
      ) : null}
    </>
  );
}

/** The dates of the claim's event, or those ahead; none for a claim that keeps its date. */
function useDatesToMoveTo({
  date,
  event_id,
  is_secondary_claim,
}: ClaimOnRespawn): readonly string[] {
  const event = useBoard((board) => (event_id === null ? null : board.byKind.event.get(event_id)));
  const time = useClaimTime(true);
  if (date === null || is_secondary_claim || event === undefined) return [];
  const offered = datesOnOffer(event, time);
  return offered.includes(date) ? offered : [...offered, date].sort();
}

const BOUNDS = {
  hour_start: { min: 0, max: HOURS_IN_DAY - 1 },
  hour_end: { min: 1, max: HOURS_IN_DAY },
} as const;

interface HourFieldProps {
  form: ClaimForm;
  field: keyof HourRange;
  /** For its local time. */
  date: string | null;
}

function HourField({ form, field: name, date }: HourFieldProps): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const localTime = useLocalTime();
  const { min, max } = BOUNDS[name];
  const hour = hourOf(form.typed[name]);
  const isHour = Number.isInteger(hour) && hour >= min && hour <= max;
  return (
    <RecordField
      form={form}
      name={name}
      hint={
        isHour
          ? t('time.localTime', { time: localTime(date ?? today, hour) })
          : t('admin.claims.form.between', { min, max })
      }
    >
      {(field) => (
        <TextInput {...field} type="number" inputMode="numeric" min={min} max={max} step={1} />
      )}
    </RecordField>
  );
}

/** The character; the member type only of another one. */
function CharacterFields({ form, claim }: FieldsProps): ReactNode {
  const types = useBoard((board) => board.byKind.member_type);
  const { like, typeOf } = useKnownCharacters();
  const { character_name } = form.typed;
  return (
    <>
      <RecordField form={form} name="character_name">
        {(field) => (
          <>
            <SuggestedInput {...field} suggestions={like(character_name)} />
            {isSameName(character_name, claim.character_name) ? null : (
              <NameHint name={character_name} onTake={field.onChange} />
            )}
          </>
        )}
      </RecordField>
      {isSameName(character_name, claim.character_name) ? null : (
        <RecordField form={form} name="member_type">
          {({ value, onChange }) => (
            <MemberTypeSelect
              types={types}
              value={value || (typeOf(character_name) ?? claim.member_type)}
              onChange={onChange}
            />
          )}
        </RecordField>
      )}
    </>
  );
}

/** Reports the change, with a button that undoes it. A corrected spelling alone can't be undone. */
function useOfferEditUndo(): (
  from: ClaimOnRespawn,
  to: ClaimInput,
  changed: readonly (keyof ClaimInput)[],
) => void {
  const { t } = useTranslation();
  const dayText = useDayText();
  const offerUndo = useOfferUndo();
  const nameOf = (id: number): string => useBoard.getState().byKind.respawn.get(id)?.name ?? '';
  return (from, to, changed) => {
    const isRenamed = changed.includes('character_name');
    const isGiven = !isSameName(from.character_name, to.character_name);
    const isResized = TIME_FIELDS.some((field) => changed.includes(field));
    const isMoved = changed.includes('respawn_id') || changed.includes('date');
    if (!isGiven && !isResized && !isMoved) {
      showToast({ text: t('admin.claims.updated') });
      return;
    }
    const about = { name: from.character_name, respawn: nameOf(to.respawn_id) };
    const movedText = changed.includes('date')
      ? t('admin.claims.move.movedToDay', { ...about, day: dayText(to.date ?? '') })
      : t('admin.claims.move.moved', about);
    const [text, undone] =
      [isRenamed, isResized, isMoved].filter(Boolean).length > 1
        ? [t('admin.claims.updated'), t('admin.claims.form.undone')]
        : isGiven
          ? [
              t('admin.claims.character.moved', { name: to.character_name }),
              t('admin.claims.character.movedBack', { name: from.character_name }),
            ]
          : isMoved
            ? [movedText, t('admin.claims.move.movedBack', { respawn: nameOf(from.respawn_id) })]
            : [t('admin.claims.updated'), t('admin.claims.form.setBack')];
    offerUndo(text, {
      action: 'claim_updated',
      matches: ({ claim_id }) => claim_id === from.id,
      undone,
    });
  };
}

const hourOf = (typed: string): number => (typed.trim() === '' ? Number.NaN : Number(typed));

const timesOf = ({ hour_start, hour_end }: Pick<ClaimValues, keyof HourRange>): HourRange => ({
  hour_start: hourOf(hour_start),
  hour_end: hourOf(hour_end),
});

interface TimesRefusal {
  field: keyof HourRange;
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
function conflicting(
  claim: ClaimOnRespawn,
  times: HourRange,
  others: readonly ClaimOnRespawn[],
): ClaimOnRespawn[] {
  if (claim.is_secondary_claim) return [];
  return others.filter((other) => !other.is_secondary_claim && rangesOverlap(times, other));
}
