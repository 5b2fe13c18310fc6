import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type MinutesSetting, SETTINGS } from '../../../../shared/settings.ts';
import { updateConfig } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import styles from './settings.module.css';
import { useSetting } from './use-setting.ts';

interface MinutesFormProps {
  stored: number;
  name: MinutesSetting;
}

/** A number of minutes within the setting's range. */
export function MinutesForm({ stored, name }: MinutesFormProps): ReactNode {
  const { min, max } = SETTINGS[name];
  const { t } = useTranslation();
  const errorText = useErrorText();
  const isValid = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
  const { typed, isChanged, changedMeanwhile, busy, refusal, type, submit } = useSetting(String(stored), {
    tidy: (text) => String(Number(text)),
    isValid,
    store: (text) => updateConfig({ [name]: Number(text) }),
  });
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <div className={styles.row}>
        <Field
          label={t(`admin.settings.line.${name}`)}
          error={isValid(typed) ? null : t('admin.settings.line.range', { min, max })}
          className={styles.field}
        >
          <TextInput
            type="number"
            inputMode="numeric"
            min={min}
            max={max}
            step={1}
            value={typed}
            onChange={(event) => type(event.target.value)}
          />
        </Field>
        <Button type="submit" busy={busy} aria-disabled={!isChanged || !isValid(typed)} aria-label={t(`admin.settings.line.save.${name}`)}>
          {t('common.save')}
        </Button>
      </div>
      {changedMeanwhile ? <Alert>{t('admin.settings.line.changedMeanwhile', { count: stored })}</Alert> : null}
      {refusal ? <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(refusal) })}</Alert> : null}
    </form>
  );
}
