import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate, periodRefusal } from '../../../../../shared/rules/event-period.ts';
import { nameKey } from '../../../../../shared/rules/names.ts';
import { lastOfSeries } from '../../../../../shared/rules/next-event.ts';
import { daysIn, nextStart, periodFrom } from '../../../../../shared/rules/next-period.ts';
import { nextName, patternOf } from '../../../../../shared/rules/period-name.ts';
import type { Event } from '../../../../../shared/schemas/event.ts';
import type { EventCopied } from '../../../../../shared/schemas/event-copy.ts';
import { copyEvent } from '../../../../api/calls.ts';
import { ApiError } from '../../../../api/request.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { useServerSaveTime } from '../../../../state/clock.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../../ui/dialog/dialog.tsx';
import { DateInput } from '../../../../ui/fields/date-input.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { TextInput } from '../../../../ui/fields/inputs.tsx';
import { Segmented } from '../../../../ui/fields/segmented.tsx';
import styles from '../events.module.css';
import { ClaimsToCopy } from './claims-to-copy.tsx';
import { LeftOut } from './left-out.tsx';
import own from './next.module.css';
import { Overlaps, useOverlaps } from './overlaps.tsx';
import { useAfterCopy } from './use-after-copy.ts';
import { type Asked, usePreview } from './use-preview.ts';

const CHOICES = ['none', 'all', 'choose'] as const;
type Choice = (typeof CHOICES)[number];
const LAST_TIME = '9999-12-31T23:59';

/** As the date-and-time inputs have it. */
const inputTime = (time: string, bareDate: '00:00' | '23:59'): string => `${eventDate(time)}T${time.slice(11, 16) || bareDate}`;

/** The next event of one: proposed whole, so that a look and a press make it. */
function CopyForm({
  source,
  onDone,
  onMade,
}: {
  source: Event;
  onDone: () => void;
  onMade: (copied: EventCopied, told: number) => void;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const taken = useBoard((board) => board.byKind.event);
  const proposed = useState(() => proposalFor(source, today, [...taken.values()]))[0];
  const [name, setName] = useState(proposed.name);
  const [period, setPeriod] = useState({ start_time: proposed.start_time, end_time: proposed.end_time });
  const [choice, setChoice] = useState<Choice>('none');
  const [out, setOut] = useState<ReadonlySet<number>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  const refusal = period.start_time && period.end_time ? periodRefusal(period) : 'event.timesRequired';
  const overlaps = useOverlaps(refusal ? null : period);
  // The name changes nothing of what comes along.
  const asked: Asked = { id: source.id, name: source.name, ...period, claims: 'all' };
  const all = usePreview(choice === 'none' || refusal ? null : asked);
  const ids = (all.told?.claims ?? []).map(({ id }) => id);
  const chosen = ids.filter((id) => !out.has(id));
  const isPart = choice === 'choose' && chosen.length < ids.length;
  const some = usePreview(isPart && !refusal ? { ...asked, claims: chosen } : null);
  const preview = isPart ? some : all;
  const judged = new Map(preview.told?.claims.map((claim) => [claim.id, claim]));
  const listed = (all.told?.claims ?? []).map((claim) => judged.get(claim.id) ?? claim);

  // Nothing to choose from is not "none of them": all may be too many to be looked at.
  const isUnread = choice === 'choose' && !all.told;

  const start = (start_time: string): void =>
    setPeriod(start_time ? periodFrom(period.start_time ? period : proposed, eventDate(start_time)) : { ...period, start_time });
  const toggle = (id: number): void => setOut(out.has(id) ? new Set([...out].filter((one) => one !== id)) : new Set([...out, id]));

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy || refusal || isUnread) return;
    setBusy(true);
    setFailure(null);
    try {
      const claims = choice === 'choose' ? chosen : choice;
      onMade(await copyEvent(source.id, { name, ...period, claims }), preview.told?.left_out ?? 0);
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  const isName = failure instanceof ApiError && (failure.code === 'event.nameExists' || failure.code === 'event.nameRequired');

  return (
    <form noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
      <Field label={t('admin.events.form.name')} error={isName ? errorText(failure) : undefined}>
        <TextInput value={name} maxLength={60} autoComplete="off" onChange={(event) => setName(event.target.value)} />
      </Field>
      <div className={styles.periodFields}>
        <div className={styles.times}>
          <Field label={t('admin.events.form.start')}>
            <DateInput value={period.start_time} withTime max={LAST_TIME} onChange={(event) => start(event.target.value)} />
          </Field>
          <Field label={t('admin.events.form.end')} error={refusal ? t(`errors.${refusal}`) : undefined}>
            <DateInput
              value={period.end_time}
              withTime
              max={LAST_TIME}
              onChange={(event) => setPeriod({ ...period, end_time: event.target.value })}
            />
          </Field>
        </div>
        <p className={styles.hint}>
          {refusal ? null : <strong>{t('admin.events.days', { count: daysIn(period) })}. </strong>}
          {t('admin.events.next.typesHint')}
        </p>
      </div>
      <Overlaps events={overlaps} />
      <div className={own.choice}>
        <p className={own.label}>{t('admin.events.next.claims')}</p>
        <Segmented
          label={t('admin.events.next.claims')}
          value={choice}
          options={CHOICES.map((value) => ({
            value,
            label: t(`admin.events.next.${value}`),
            disabled: value !== 'none' && source.claim_count === 0,
          }))}
          onChange={setChoice}
        />
      </div>
      {choice === 'none' ? null : (
        <section className={own.preview} aria-label={t('admin.events.next.preview')}>
          <p role="status" className={own.summary}>
            {preview.told
              ? [
                  t('admin.events.next.coming', { count: preview.told.copied }),
                  preview.told.left_out > 0 ? t('admin.events.next.staying', { count: preview.told.left_out }) : '',
                ].join(' ')
              : preview.isLoading
                ? t('admin.events.next.looking')
                : ''}
          </p>
          {(preview.told?.copied ?? 0) > 1 ? <p className={styles.hint}>{t('admin.notifications.oneMessage')}</p> : null}
          {preview.failure ? <Alert tone="bad">{errorText(preview.failure)}</Alert> : null}
          {listed.length > 0 ? (
            <ClaimsToCopy
              claims={listed}
              isOld={preview.isLoading}
              {...(choice === 'choose' ? { choosing: { isChosen: (id: number) => !out.has(id), toggle } } : {})}
            />
          ) : null}
        </section>
      )}
      {failure && !isName ? (
        <Alert tone="bad" title={t('admin.events.next.failed')}>
          {errorText(failure)}
        </Alert>
      ) : null}
      {isBusy ? <p role="status">{t('admin.events.next.copying', { count: preview.told?.copied ?? 0 })}</p> : null}
      <DialogActions onCancel={onDone} busy={isBusy}>
        <Button type="submit" variant="primary" busy={isBusy} disabled={refusal !== null || isUnread}>
          {preview.told && choice !== 'none'
            ? t('admin.events.next.createWith', { count: preview.told.copied })
            : t('admin.events.form.create')}
        </Button>
      </DialogActions>
    </form>
  );
}

function proposalFor(source: Event, today: string, events: readonly Event[]): Pick<Event, 'name' | 'start_time' | 'end_time'> {
  const shown = { start_time: inputTime(source.start_time, '00:00'), end_time: inputTime(source.end_time, '23:59') };
  const pattern = patternOf(source.name, source);
  // The event may have been copied already: the next one is after the last of them.
  const last = lastOfSeries({ name: pattern, type: source.type, made_events: [source.id] }, events) ?? source;
  const period = periodFrom(shown, nextStart(eventDate(last.end_time), daysIn(source), today));
  const names = new Set(events.map((event) => nameKey(event.name)));
  return { name: nextName(pattern, period, last, (one) => names.has(nameKey(one))), ...period };
}

export function CopyDialog({ source, onClose }: { source: Event; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const after = useAfterCopy();
  const [surprise, setSurprise] = useState<EventCopied | null>(null);
  const made = (copied: EventCopied, told: number): void => {
    after(copied);
    // More was left out than was told: somebody was faster.
    if (copied.left_out + copied.gone > told) setSurprise(copied);
    else onClose();
  };
  if (surprise) return <LeftOut copied={surprise} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={onClose} title={t('admin.events.next.title', { name: source.name })} wide>
      <CopyForm source={source} onDone={onClose} onMade={made} />
    </Dialog>
  );
}
