import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../../shared/rules/event-period.ts';
import { daysIn, weekdayOf } from '../../../../../shared/rules/next-period.ts';
import { patternOf } from '../../../../../shared/rules/period-name.ts';
import type { Event } from '../../../../../shared/schemas/event.ts';
import { createEventTemplate } from '../../../../api/calls.ts';
import { dayText, formatLocale } from '../../../../lib/time-text.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../../ui/dialog/dialog.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Checkbox, TextInput } from '../../../../ui/fields/inputs.tsx';
import { showToast } from '../../../../ui/toast.tsx';
import styles from '../events.module.css';

const DAYS_IN_WEEK = 7;

/** Keeps an event as a template, from which the next ones are made by a click. */
export function TemplateDialog({ source, onClose }: { source: Event; onClose: () => void }): ReactNode {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const first = eventDate(source.start_time);
  const [name, setName] = useState(() => patternOf(source.name, source));
  // Two events do not begin on one weekday where each lasts longer than the weeks between.
  const [isWeekly, setWeekly] = useState(daysIn(source) <= DAYS_IN_WEEK);
  const [withClaims, setWithClaims] = useState(source.claim_count > 0);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      const saved = await createEventTemplate({
        event_id: source.id,
        name,
        weekday: isWeekly ? weekdayOf(first) : null,
        claims: withClaims ? 'all' : 'none',
      });
      showToast({ text: t('admin.events.next.saved', { name: saved.name }) });
      onClose();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog open onOpenChange={onClose} title={t('admin.events.next.saveTitle', { name: source.name })}>
      <form noValidate className={styles.form} onSubmit={(event) => void save(event)}>
        <Field
          label={t('admin.events.next.pattern')}
          hint={t('admin.events.next.patternHint', { n: '{n}', start: '{start}', end: '{end}' })}
          error={failure ? errorText(failure) : undefined}
        >
          <TextInput value={name} maxLength={60} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        <p className={styles.hint}>
          {t('admin.events.days', { count: daysIn(source) })}, {t(`admin.events.type.${source.type}`)}
        </p>
        <Checkbox
          label={t('admin.events.next.weekday', { day: dayText(first, formatLocale(i18n.language), 'weekday') })}
          checked={isWeekly}
          onChange={(event) => setWeekly(event.target.checked)}
        />
        <Checkbox
          label={t('admin.events.next.withClaims')}
          checked={withClaims}
          onChange={(event) => setWithClaims(event.target.checked)}
        />
        <DialogActions onCancel={onClose} busy={isBusy}>
          <Button type="submit" variant="primary" busy={isBusy}>
            {t('admin.events.next.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
