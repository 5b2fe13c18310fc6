import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate, periodRefusal } from '../../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../../shared/rules/server-save.ts';
import {
  type Event,
  type EventChange,
  type EventInput,
  eventInput,
} from '../../../../shared/schemas/event.ts';
import { createEvent, updateEvent } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { DateInput } from '../../../ui/fields/date-input.tsx';
import { TextArea, TextInput } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { type RecordForm, useRecordForm } from '../../../ui/form/record-form.ts';
import { Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import {
  ConflictingClaims,
  conflictingClaimsIn,
  countConflicts,
} from '../forms/conflicting-claims.tsx';
import { dialogDraft } from '../forms/drafts.ts';
import { FormNotes } from '../forms/form-notes.tsx';
import tab from '../tab.module.css';
import { useAskToActivate } from './event-row.tsx';
import { type EventValues, proposedValues, useEventFields } from './event-values.ts';
import styles from './events.module.css';
import { useReportActive } from './report-active.ts';

/** Creates or edits an event. Input is kept if the server refuses it. */
function EventForm({ event, onDone }: { event: Event | null; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const events = useBoard((board) => board.byKind.event);
  const askToActivate = useAskToActivate();
  const reportActive = useReportActive();
  const active = useActiveEvent();
  const activates = useRef(false);
  const form = useRecordForm<Event, EventValues, EventInput>({
    fields: useEventFields(),
    schema: eventInput,
    record: event,
    live: ({ id }) => events.get(id),
    fresh: proposedValues(today, events.values()),
    draft: dialogDraft(event ? `event ${event.id}` : 'event'),
    create: async (input) => {
      const created = await createEvent(input, activates.current);
      const text = t('admin.events.created', { event_name: created.name });
      if (activates.current) return reportActive({ event: created, former: active }, text);
      showToast({
        text,
        actions: [{ label: t('admin.events.activate'), onPress: () => askToActivate(created) }],
      });
    },
    update: ({ id }, change, { input }) => updateEvent(id, withBothEnds(change, input)),
    done: (stored) => {
      if (stored) showToast({ text: t('admin.events.updated') });
      onDone();
    },
  });
  const { conflict, busy, refusal } = form;
  const submit = (activate: boolean): void => {
    activates.current = activate;
    form.submit();
  };
  return (
    <Stack
      noValidate
      gap={4}
      as="form"
      onSubmit={(submitted) => {
        submitted.preventDefault();
        submit(false);
      }}
    >
      <EventFields form={form} hasClaims={(conflict.stored?.claim_count ?? 0) > 0} />
      <FormNotes what="event" form={form} />
      {refusal ? (
        <EventRefusal
          error={refusal}
          title={t(conflict.stored ? 'admin.events.updateFailed' : 'admin.events.createFailed')}
          atField={form.error === undefined}
        />
      ) : null}
      {conflict.stored || !active ? null : (
        <p className="muted small">{t('admin.events.form.replaces', { other: active.name })}</p>
      )}
      <DialogActions onCancel={onDone} busy={busy} isChanged={form.isChanged}>
        <Button
          type="submit"
          variant={conflict.stored ? 'primary' : 'plain'}
          busy={busy && !activates.current}
          disabled={conflict.outcome === 'deleted'}
        >
          {t(conflict.stored ? 'admin.events.form.save' : 'admin.events.create')}
        </Button>
        {event ? null : (
          <Button variant="primary" busy={busy && activates.current} onClick={() => submit(true)}>
            {t('admin.events.form.createAndActivate')}
          </Button>
        )}
      </DialogActions>
    </Stack>
  );
}

/** The stored time of day may be that of the other end, which one day would not allow. */
const withBothEnds = (
  change: Partial<EventInput>,
  { start_time, end_time }: EventInput,
): EventChange =>
  (change.start_time || change.end_time) && eventDate(start_time) === eventDate(end_time)
    ? { ...change, start_time, end_time }
    : change;

export function EventDialog({
  subject,
  onClose,
}: {
  subject: 'new' | Event | null;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const title = subject === 'new' ? t('admin.events.create') : t('admin.events.form.editTitle');
  return (
    <Dialog open={subject !== null} onOpenChange={onClose} title={title} wide>
      {subject === null ? null : (
        <EventForm event={subject === 'new' ? null : subject} onDone={onClose} />
      )}
    </Dialog>
  );
}

/** Why the server refused an event. It takes the focus, unless a field does. */
function EventRefusal({
  error,
  title,
  atField,
}: {
  error: unknown;
  title: string;
  atField: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!atField && error) box.current?.focus();
  }, [error, atField]);
  const claims = conflictingClaimsIn(error);
  const taken = error instanceof ApiError && error.code === 'event.hoursTaken';
  return (
    <div ref={box} tabIndex={-1} className={tab.notice}>
      <Alert tone="bad" title={title}>
        {claims ? (
          <>
            <p>
              {t(taken ? 'admin.events.hoursTaken' : 'admin.events.claimsOutside', {
                count: countConflicts(error),
              })}
            </p>
            <ConflictingClaims claims={claims} count={countConflicts(error)} />
          </>
        ) : (
          errorText(error)
        )}
      </Alert>
    </div>
  );
}

const TYPES = ['multiple_claims', 'single_claim'] as const;
const LAST_DATE = '9999-12-31';

interface FieldsProps {
  form: RecordForm<Event, EventValues, EventInput>;
  /** The type of an event that has claims cannot be changed. */
  hasClaims: boolean;
}

function EventFields({ form, hasClaims }: FieldsProps): ReactNode {
  const { t } = useTranslation();
  const { type, start_time, end_time } = form.typed;
  const days =
    start_time && end_time && !periodRefusal({ start_time, end_time })
      ? datesBetween(start_time, end_time).length
      : 0;
  return (
    <>
      <RecordField form={form} name="name">
        {(field) => <TextInput {...field} maxLength={60} autoComplete="off" />}
      </RecordField>
      <RecordField
        form={form}
        name="type"
        hint={t(hasClaims ? 'errors.event.typeHasClaims' : `admin.events.typeHint.${type}`)}
      >
        {({ value, onChange }) => (
          <Select
            value={value}
            options={TYPES.map((one) => ({ value: one, label: t(`admin.events.type.${one}`) }))}
            onChange={onChange}
            disabled={hasClaims}
          />
        )}
      </RecordField>
      <div className={styles.periodFields}>
        <div className={styles.times}>
          {(['start_time', 'end_time'] as const).map((name) => (
            <RecordField key={name} form={form} name={name}>
              {(field) => <DateInput {...field} max={LAST_DATE} />}
            </RecordField>
          ))}
        </div>
        <p className="faint small">
          {days > 0 ? <strong>{t('admin.events.days', { count: days })}. </strong> : null}
          {t('admin.events.form.datesHint')}
        </p>
      </div>
      {type === 'single_claim' ? (
        <RecordField
          form={form}
          name="single_claim_template"
          hint={t('admin.events.form.templateHint')}
        >
          {(field) => <TextArea {...field} maxLength={2000} />}
        </RecordField>
      ) : null}
    </>
  );
}
