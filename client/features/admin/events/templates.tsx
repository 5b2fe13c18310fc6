import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { lastOfSeries, nextEvent } from '../../../../shared/rules/next-event.ts';
import { daysIn, weekdayOf } from '../../../../shared/rules/next-period.ts';
import { patternOf } from '../../../../shared/rules/period-name.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import type { EventCopied } from '../../../../shared/schemas/event-copy.ts';
import {
  type EventTemplate,
  eventTemplateInput,
} from '../../../../shared/schemas/event-template.ts';
import {
  applyEventTemplate,
  createEventTemplate,
  deleteEventTemplate,
} from '../../../api/admin-calls.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { confirm } from '../../../state/overlays.ts';
import { useMay } from '../../../state/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { RecordField } from '../../../ui/form/record-field.tsx';
import { useRecordForm } from '../../../ui/form/record-form.ts';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import tab from '../tab.module.css';
import { ClaimOutcomes } from './claim-outcomes.tsx';
import { LeftOut, Overlaps, useAfterCopy, useOverlaps } from './copy-outcome.tsx';
import { usePeriodText } from './event-values.ts';
import styles from './events.module.css';

/** The event templates: each names its next event and creates it at a press. */
export function Templates(): ReactNode {
  const { t } = useTranslation();
  const templates = useBoard((board) => board.byKind.event_template);
  // Hidden from admins who may not create events.
  if (!useMay('guild') || templates.size === 0) return null;
  return (
    <ul aria-label={t('admin.events.copy.templates')} className={tab.surface}>
      {[...templates.values()].map((template) => (
        <TemplateRow key={template.id} template={template} />
      ))}
    </ul>
  );
}

/** The template of the dialog. If its events change while it is open, the server refuses. */
interface Question {
  preview: EventCopied;
  /** The event that the previewed one follows. */
  after: number | null;
  name: string;
  overlaps: readonly Event[];
}

function TemplateRow({ template }: { template: EventTemplate }): ReactNode {
  const { t } = useTranslation();
  const periodText = usePeriodText();
  const errorText = useErrorText();
  const after = useAfterCopy();
  const { date: today } = useServerSaveTime();
  const events = useBoard((board) => board.byKind.event);
  const [question, setQuestion] = useState<Question | null>(null);
  const [unexpected, setUnexpected] = useState<EventCopied | null>(null);
  const last = lastOfSeries(template, events.values());
  const names = new Set([...events.values()].map((event) => nameKey(event.name)));
  const next = nextEvent(template, last, {
    today,
    isTaken: (name) => names.has(nameKey(name)),
  });
  const overlaps = useOverlaps(next);
  const create = async (afterEvent: number | null, expectedLeftOut: number): Promise<void> => {
    const copied = await applyEventTemplate(template.id, { after: afterEvent });
    setQuestion(null);
    after(copied);
    // Meanwhile other members took more of the hours.
    if (copied.left_out > expectedLeftOut) setUnexpected(copied);
  };
  const askOrCreate = async (): Promise<void> => {
    const afterEvent = last?.id ?? null;
    const preview = await applyEventTemplate(template.id, { after: afterEvent, preview: true });
    if (overlaps.length > 0 || preview.left_out > 0)
      setQuestion({ preview, after: afterEvent, name: next.name, overlaps });
    else await create(afterEvent, 0);
  };
  const createNext = useAction({
    work: (step: () => Promise<void>) => step(),
    failed: (reason) => t('admin.events.copy.failedBecause', { reason }),
  });
  const askToDelete = (): void =>
    confirm({
      title: t('admin.events.copy.confirmDelete', { name: template.name }),
      text: t('admin.events.copy.deleteText'),
      confirmLabel: t('admin.events.copy.deleteTemplate'),
      onConfirm: () => deleteEventTemplate(template.id),
      errorText,
    });
  return (
    <li className={styles.event}>
      <div className={styles.about}>
        <p className={styles.templateName}>
          {t('admin.events.copy.template')}: <strong>{template.name}</strong>
        </p>
        <p className={tab.facts}>
          <span>{t('admin.events.copy.nextName', { name: next.name })}</span>
          <span>{periodText(next, 'day')}</span>
          <span>
            {last && template.claims === 'all'
              ? t('admin.events.copy.withClaimsOf', { name: last.name })
              : t('admin.events.copy.noClaims')}
          </span>
        </p>
      </div>
      <Cluster>
        <Button
          small
          variant="primary"
          busy={createNext.isBusy}
          onClick={() => createNext.run(askOrCreate)}
          aria-label={t('admin.events.copy.createNextName', { name: next.name })}
        >
          {t('admin.events.copy.createNext')}
        </Button>
        <Button
          small
          variant="danger"
          onClick={askToDelete}
          aria-label={t('admin.events.copy.deleteName', { name: template.name })}
        >
          {t('common.delete')}
        </Button>
      </Cluster>
      {question ? (
        <ConfirmNext
          name={question.name}
          preview={question.preview}
          overlaps={question.overlaps}
          isBusy={createNext.isBusy}
          onCreate={() => createNext.run(() => create(question.after, question.preview.left_out))}
          onClose={() => setQuestion(null)}
        />
      ) : null}
      {unexpected ? <LeftOut copied={unexpected} onClose={() => setUnexpected(null)} /> : null}
    </li>
  );
}

interface ConfirmNextProps {
  name: string;
  preview: EventCopied;
  overlaps: readonly Event[];
  isBusy: boolean;
  onCreate: () => void;
  onClose: () => void;
}

/** Asks before a template creates an event that overlaps another or leaves claims out. */
function ConfirmNext({
  name,
  preview,
  overlaps,
  isBusy,
  onCreate,
  onClose,
}: ConfirmNextProps): ReactNode {
  const { t } = useTranslation();
  const { copied, left_out, claims } = preview;
  const summary = [
    t('admin.events.copy.copied', { count: copied }),
    left_out > 0 ? t('admin.events.copy.skipped', { count: left_out }) : '',
  ];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      busy={isBusy}
      wide={claims.length > 0}
      title={t('admin.events.copy.confirmCreate', { name })}
      description={claims.length > 0 ? summary.join(' ') : undefined}
      actions={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button variant="primary" busy={isBusy} onClick={onCreate}>
            {claims.length > 0
              ? t('admin.events.copy.createWith', { count: copied })
              : t('admin.events.form.create')}
          </Button>
        </>
      }
    >
      <Overlaps events={overlaps} />
      {copied > 1 ? <p>{t('admin.notifications.oneMessage')}</p> : null}
      {left_out > 0 ? (
        <ClaimOutcomes claims={claims.filter(({ refusal }) => refusal !== null)} />
      ) : null}
    </Dialog>
  );
}

const DAYS_IN_WEEK = 7;

const templateRequest = eventTemplateInput.omit({ event_id: true });

interface TemplateValues {
  name: string;
  weekday: boolean;
  claims: boolean;
}

export function TemplateDialog({
  source,
  onClose,
}: {
  source: Event;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const first = eventDate(source.start_time);
  const form = useRecordForm<never, TemplateValues, z.output<typeof templateRequest>>({
    fields: {
      name: { label: t('admin.events.copy.pattern') },
      weekday: {
        label: t('admin.events.copy.weekday', { day: dayText(first, 'weekday') }),
        send: (isWeekly) => (isWeekly ? weekdayOf(first) : null),
      },
      claims: {
        label: t('admin.events.copy.withClaims'),
        send: (isCopied) => (isCopied ? 'all' : 'none'),
      },
    },
    schema: templateRequest,
    record: null,
    fresh: {
      name: patternOf(source.name, source),
      // Events longer than a week cannot all start on the same weekday.
      weekday: daysIn(source) <= DAYS_IN_WEEK,
      claims: source.claim_count > 0,
    },
    create: async (input) => {
      const { name } = await createEventTemplate({ event_id: source.id, ...input });
      showToast({ text: t('admin.events.copy.saved', { name }) });
    },
    done: onClose,
    refusalOf: () => ({ field: 'name' }),
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('admin.events.copy.saveTitle', { name: source.name })}
    >
      <Stack noValidate gap={4} as="form" onSubmit={form.submit}>
        <RecordField
          form={form}
          name="name"
          hint={t('admin.events.copy.patternHint', { n: '{n}', start: '{start}', end: '{end}' })}
        >
          {(field) => <TextInput {...field} maxLength={60} autoComplete="off" />}
        </RecordField>
        <p className="faint small">
          {t('admin.events.days', { count: daysIn(source) })},{' '}
          {t(`admin.events.type.${source.type}`)}
        </p>
        {(['weekday', 'claims'] as const).map((name) => (
          <Checkbox key={name} label={form.fields[name].label} {...form.form.register(name)} />
        ))}
        <DialogActions onCancel={onClose} busy={form.busy} isChanged={form.isChanged}>
          <Button type="submit" variant="primary" busy={form.busy}>
            {t('admin.events.copy.save')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
