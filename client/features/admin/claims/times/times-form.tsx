import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { editClaimTimes } from '../../../../api/calls.ts';
import { ApiError } from '../../../../api/request.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { DialogActions } from '../../../../ui/dialog/dialog.tsx';
import { showToast } from '../../../../ui/toast.tsx';
import { EditConflictNotice, useEditConflict } from '../../forms/edit-conflict.tsx';
import styles from '../claims.module.css';
import { DayOverview } from './day-overview.tsx';
import { HourField } from './hour-field.tsx';
import { differingTimes, inTheWay, type TimesTyped, timesOf, timesRefusal, typedOf } from './times.ts';
import { useDayClaims } from './use-day-claims.ts';

interface TimesFormProps {
  opened: ClaimOnRespawn;
  /** The hours to begin with. */
  begin: HourRange;
  /** The claim as it is now; undefined when it is gone. */
  live: ClaimOnRespawn | undefined;
  /** R5.7: the spot of the secondary claim that follows its length; null without one. */
  follows: string | null;
  onDone: () => void;
}

/** Moves a claim to other hours of its day. What is typed stays, whatever the server says. */
export function TimesForm({ opened, begin, live, follows, onDone }: TimesFormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [typed, setTyped] = useState(() => typedOf(begin));
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const notice = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const edit = useEditConflict<ClaimOnRespawn, TimesTyped>({
    opened,
    live,
    valuesOf: typedOf,
    differing: differingTimes,
    typed,
    fill: setTyped,
    saving: busy,
  });
  const times = timesOf(typed);
  const refusal = timesRefusal(times);
  const { others, status } = useDayClaims(opened);
  const blocking = refusal ? [] : inTheWay(opened, times, others);
  const whyId = useId();
  const errorAt = (field: keyof TimesTyped): string | undefined =>
    tried && refusal?.field === field ? t(`errors.${refusal.code}`, {}) : undefined;

  const save = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      if (edit.stored && differingTimes(typedOf(edit.stored), typed).length > 0)
        await editClaimTimes(opened.id, times.hour_start, times.hour_end);
      showToast({ text: t('admin.claims.updated') });
      onDone();
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    setTried(true);
    if (edit.theirs) notice.current?.focus();
    else if (refusal) form.current?.querySelector<HTMLElement>(`[name="${refusal.field}"]`)?.focus();
    else if (blocking.length === 0) void save();
  };
  const change = (field: keyof TimesTyped, value: string): void => {
    setFailure(null);
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
            claim={opened}
            error={errorAt(field)}
            onChange={(value) => change(field, value)}
          />
        ))}
      </div>
      {follows === null ? null : <p className={styles.hint}>{t('admin.claims.form.secondaryFollows', { respawn: follows })}</p>}
      <DayOverview
        claim={opened}
        times={refusal ? null : times}
        others={others}
        status={status}
        onChange={(field, hour) => change(field, `${hour}`)}
      />
      <div id={whyId} className={others.length > 0 ? styles.why : undefined}>
        {blocking.length > 0 ? (
          <Alert tone="accent">{t('admin.claims.form.taken', { names: blocking.map((other) => other.character_name).join(', ') })}</Alert>
        ) : null}
      </div>
      <EditConflictNotice
        ref={notice}
        what="claim"
        edit={edit}
        labelOf={(field) => t(`admin.claims.form.${field}`)}
        inWords={(field, theirs) => t('time.hour', { hour: theirs[field] })}
      />
      {failure ? <TimesFailure error={failure} reason={errorText(failure)} /> : null}
      <DialogActions onCancel={onDone} busy={busy}>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
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

/** A refusal has its reason; where there was no answer, nobody knows what became of it. */
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
