import { keepPreviousData, skipToken } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  eventDate,
  freeStart,
  periodRefusal,
  wholeDays,
} from '../../../../shared/rules/event-period.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { lastOfSeries } from '../../../../shared/rules/next-event.ts';
import { daysIn, nextStart, periodFrom } from '../../../../shared/rules/next-period.ts';
import { nextName, patternOf } from '../../../../shared/rules/period-name.ts';
import type { ActiveEvent, Event } from '../../../../shared/schemas/event.ts';
import {
  type ClaimsToCopy,
  type EventCopied,
  type EventCopy,
  eventCopy,
} from '../../../../shared/schemas/event-copy.ts';
import { copyEvent } from '../../../api/admin-calls.ts';
import { useServerQuery, useSettled } from '../../../api/query.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { DateInput } from '../../../ui/fields/date-input.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { Stack } from '../../../ui/layout.tsx';
import { ClaimOutcomes } from './claim-outcomes.tsx';
import { LeftOut, Overlaps, useAfterCopy, useOverlaps } from './copy-outcome.tsx';
import styles from './events.module.css';

const CHOICES = ['none', 'all', 'choose'] as const;
type Choice = (typeof CHOICES)[number];
const LAST_DATE = '9999-12-31';

interface CopyValues {
  name: string;
  start_time: string;
  end_time: string;
  choice: Choice;
  /** The claims that are not copied, while they are chosen one by one. */
  excluded: number[];
}

interface CopyFormProps {
  source: Event;
  onDone: () => void;
  onCreated: (copied: EventCopied, before: BeforeCopy) => void;
}

interface BeforeCopy {
  /** How many claims the preview left out. */
  expectedLeftOut: number;
  active: ActiveEvent | null;
}

/** Creates the next event from one. All fields are proposed, so that usually one press is enough. */
function CopyForm({ source, onDone, onCreated }: CopyFormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const events = useBoard((board) => board.byKind.event);
  const active = useActiveEvent();
  const activates = useRef(false);
  const [proposed] = useState(() => proposalFor(source, today, [...events.values()]));
  const form = useRecordForm<never, CopyValues, Pick<EventCopy, 'name'>>({
    fields: {
      name: {
        label: t('admin.events.form.name'),
        codes: ['event.nameExists', 'event.nameRequired'],
      },
      start_time: { label: t('admin.events.form.start') },
      end_time: { label: t('admin.events.form.end') },
      choice: { label: t('admin.events.copy.claims') },
      excluded: { label: t('admin.events.copy.preview') },
    },
    schema: eventCopy.pick({ name: true }),
    record: null,
    fresh: { ...proposed, choice: 'none', excluded: [] },
    create: async ({ name }) => {
      const claims = choice === 'choose' ? chosen : choice;
      const before = { expectedLeftOut: preview?.left_out ?? 0, active };
      const copied = await copyEvent(source.id, {
        name,
        ...wholeDays(period),
        claims,
        ...(activates.current && { activate: true }),
      });
      onCreated(copied, before);
    },
  });
  const { busy, error } = form;
  const { setValue } = form.form;
  const { start_time, end_time, choice, excluded } = form.typed;
  const period = { start_time, end_time };

  const refusal = start_time && end_time ? periodRefusal(period) : 'event.timesRequired';
  const overlaps = useOverlaps(refusal ? null : period);
  // The new name does not change the outcome.
  const request = { id: source.id, name: source.name, ...period, claims: 'all' } as const;
  const all = usePreview(choice === 'none' || refusal ? null : request);
  const ids = (all.preview?.claims ?? []).map(({ id }) => id);
  const chosen = ids.filter((id) => !excluded.includes(id));
  const isPart = choice === 'choose' && chosen.length < ids.length;
  const some = usePreview(isPart && !refusal ? { ...request, claims: chosen } : null);
  const { preview, failure: previewFailure, isLoading } = isPart ? some : all;
  const outcomes = new Map(preview?.claims.map((claim) => [claim.id, claim]));
  const listed = (all.preview?.claims ?? []).map((claim) => outcomes.get(claim.id) ?? claim);

  // An empty list is not "none of them": there may be too many claims to preview.
  const isUnread = choice === 'choose' && !all.preview;

  const setStart = (start: string): void => {
    const next = start
      ? periodFrom(start_time ? period : proposed, eventDate(start))
      : { ...period, start_time: start };
    setValue('start_time', next.start_time);
    setValue('end_time', next.end_time);
  };
  const submit = (activate: boolean): void => {
    activates.current = activate;
    form.submit();
  };
  const isBlocked = refusal !== null || isUnread;
  const toggle = (id: number): void =>
    setValue(
      'excluded',
      excluded.includes(id) ? excluded.filter((one) => one !== id) : [...excluded, id],
    );

  return (
    <Stack
      as="form"
      gap={4}
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault();
        submit(false);
      }}
    >
      <RecordField form={form} name="name">
        {(field) => <TextInput {...field} maxLength={60} autoComplete="off" />}
      </RecordField>
      <div className={styles.periodFields}>
        <div className={styles.times}>
          <Field label={t('admin.events.form.start')}>
            <DateInput
              value={start_time}
              max={LAST_DATE}
              onChange={(event) => setStart(event.target.value)}
            />
          </Field>
          <Field
            label={t('admin.events.form.end')}
            error={refusal ? t(`errors.${refusal}`) : undefined}
          >
            <DateInput
              value={end_time}
              max={LAST_DATE}
              onChange={(event) => setValue('end_time', event.target.value)}
            />
          </Field>
        </div>
        <p className="faint small">
          {refusal ? null : <strong>{t('admin.events.days', { count: daysIn(period) })}. </strong>}
          {t('admin.events.copy.typesHint')}
        </p>
      </div>
      <Overlaps events={overlaps} />
      <div className={styles.choice}>
        <p className="semibold">{t('admin.events.copy.claims')}</p>
        <Segmented
          label={t('admin.events.copy.claims')}
          value={choice}
          options={CHOICES.map((value) => ({
            value,
            label: t(`admin.events.copy.${value}`),
            disabled: value !== 'none' && source.claim_count === 0,
          }))}
          onChange={(next) => setValue('choice', next)}
        />
      </div>
      {choice === 'none' ? null : (
        <Stack gap={2} as="section" aria-label={t('admin.events.copy.preview')}>
          <p role="status" className={styles.summary}>
            {preview
              ? [
                  t('admin.events.copy.copied', { count: preview.copied }),
                  preview.left_out > 0
                    ? t('admin.events.copy.skipped', { count: preview.left_out })
                    : '',
                ].join(' ')
              : isLoading
                ? t('admin.system.healthCheck.starting')
                : ''}
          </p>
          {(preview?.copied ?? 0) > 1 ? (
            <p className="faint small">{t('admin.notifications.oneMessage')}</p>
          ) : null}
          {previewFailure ? <Alert tone="bad">{errorText(previewFailure)}</Alert> : null}
          {listed.length > 0 ? (
            <ClaimOutcomes
              claims={listed}
              isStale={isLoading}
              {...(choice === 'choose'
                ? { choosing: { isChosen: (id: number) => !excluded.includes(id), toggle } }
                : {})}
            />
          ) : null}
        </Stack>
      )}
      {error ? (
        <Alert tone="bad" title={t('admin.events.copy.failed')}>
          {error}
        </Alert>
      ) : null}
      {busy ? (
        <p role="status">{t('admin.events.copy.copying', { count: preview?.copied ?? 0 })}</p>
      ) : null}
      {active ? (
        <p className="muted small">{t('admin.events.form.replaces', { other: active.name })}</p>
      ) : null}
      <DialogActions onCancel={onDone} busy={busy} isChanged={form.isChanged}>
        <Button type="submit" busy={busy && !activates.current} disabled={isBlocked}>
          {preview && choice !== 'none'
            ? t('admin.events.copy.createWith', { count: preview.copied })
            : t('admin.events.create')}
        </Button>
        <Button
          variant="primary"
          busy={busy && activates.current}
          disabled={isBlocked}
          onClick={() => submit(true)}
        >
          {t('admin.events.form.createAndActivate')}
        </Button>
      </DialogActions>
    </Stack>
  );
}

function proposalFor(
  source: Event,
  today: string,
  events: readonly Event[],
): Pick<Event, 'name' | 'start_time' | 'end_time'> {
  const sourceDates = {
    start_time: eventDate(source.start_time),
    end_time: eventDate(source.end_time),
  };
  const pattern = patternOf(source.name, source);
  // If the event was copied before, the next one follows the last copy.
  const last = lastOfSeries(source, events);
  const days = daysIn(source);
  const next = nextStart(eventDate(last.end_time), today, days);
  const period = periodFrom(sourceDates, freeStart(next, days, events));
  const names = new Set(events.map((event) => nameKey(event.name)));
  const isTaken = (name: string): boolean => names.has(nameKey(name));
  return { name: nextName(pattern, period, { last, isTaken }), ...period };
}

export function CopyDialog({ source, onClose }: { source: Event; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const after = useAfterCopy();
  const [unexpected, setUnexpected] = useState<EventCopied | null>(null);
  const show = (copied: EventCopied, { expectedLeftOut, active }: BeforeCopy): void => {
    after(copied, active);
    // Meanwhile other members took more of the hours.
    if (copied.left_out + copied.gone > expectedLeftOut) setUnexpected(copied);
    else onClose();
  };
  if (unexpected) return <LeftOut copied={unexpected} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('admin.events.copy.title', { name: source.name })}
      wide
    >
      <CopyForm source={source} onDone={onClose} onCreated={show} />
    </Dialog>
  );
}

interface CopyRequest {
  id: number;
  name: string;
  start_time: string;
  end_time: string;
  claims: ClaimsToCopy;
}

interface Preview {
  /** The previous one stays while the next loads. */
  preview: EventCopied | null;
  failure: unknown;
  isLoading: boolean;
}

/** Don't ask the server for each step of a date that is being changed. */
const CHANGE_MS = 250;

/** @param request null: no preview */
function usePreview(request: CopyRequest | null): Preview {
  const key = request && JSON.stringify(request);
  const settledKey = useSettled(key, CHANGE_MS);
  const { data, error, isFetching } = useServerQuery({
    queryKey: ['copy preview', settledKey],
    queryFn:
      request === null || settledKey !== key
        ? skipToken
        : ({ signal }) => {
            const { id, ...copy } = request;
            return copyEvent(id, { ...copy, preview: true }, signal);
          },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  if (request === null) return { preview: null, failure: null, isLoading: false };
  const isLoading = isFetching || settledKey !== key;
  return { preview: data ?? null, failure: isLoading ? null : error, isLoading };
}
