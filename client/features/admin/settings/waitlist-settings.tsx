import type { ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { type Config, type ConfigChange, configChange } from '../../../../shared/schemas/config.ts';
import {
  NUMBER_SETTINGS,
  type NumericSetting,
  SETTINGS,
  SWITCH_SETTINGS,
} from '../../../../shared/settings.ts';
import { updateConfig } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import type { FormFields } from '../../../ui/form/fields.ts';
import { type RecordForm, useRecordForm } from '../../../ui/form/record-form.ts';
import { Cluster } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { pageDraft } from '../forms/drafts.ts';
import { useConfig } from './guild-settings.tsx';
import styles from './settings.module.css';

/** The submission switch has its own control in the dashboard's status line. */
const LISTED = SWITCH_SETTINGS.filter((name) => name !== 'submission_enabled');
type ListedSwitch = (typeof LISTED)[number];
type Typed = { [N in NumericSetting]: string };

export function WaitlistSettings(): ReactNode {
  const config = useConfig();
  return config ? <WaitlistForm config={config} /> : null;
}

/** A switch that is stored when it is turned. */
function StoredSwitch({ name, on }: { name: ListedSwitch; on: boolean }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const turn = useAction({
    work: (next: 0 | 1) => updateConfig({ [name]: next }),
    done: (_config, next) => {
      const undo = { label: t('admin.activity.undo'), onPress: () => turn.run(next ? 0 : 1) };
      showToast({ text: t('admin.settings.saved'), action: undo });
    },
  });
  return (
    <>
      <Switch
        label={t(`admin.settings.waitlist.${name}`)}
        state={on ? t('admin.settings.on') : t('admin.settings.off')}
        on={on}
        busy={turn.isBusy}
        onChange={(next) => turn.run(next ? 1 : 0)}
      />
      {turn.failure ? (
        <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(turn.failure) })}</Alert>
      ) : null}
    </>
  );
}

function useNumberFields(): FormFields<Config, Typed> {
  const { t } = useTranslation();
  const row = (name: NumericSetting) => ({
    label: t(`admin.settings.waitlist.${name}`),
    from: (config: Config) => String(config[name]),
    send: (text: string) => (text === '' ? Number.NaN : Number(text)),
  });
  return {
    hold_minutes: row('hold_minutes'),
    grace_minutes: row('grace_minutes'),
    standing_days_ahead: row('standing_days_ahead'),
    standing_per_character: row('standing_per_character'),
  };
}

/** A switch is stored at once; numbers are saved together. Fields that are not edited follow what other admins store. */
function WaitlistForm({ config }: { config: Config }): ReactNode {
  const { t } = useTranslation();
  const waiting = useBoard((board) => board.byKind.wait.size);
  const form = useRecordForm<Config, Typed, ConfigChange>({
    fields: useNumberFields(),
    schema: configChange,
    record: config,
    live: () => config,
    follows: true,
    draft: pageDraft('waitlist settings'),
    update: async (_config, change, { savedPart }) => {
      savedPart(await updateConfig(change), NUMBER_SETTINGS);
      showToast({ text: t('admin.settings.saved') });
    },
    refusalOf: (reason) => ({ text: t('admin.settings.failed', { reason }) }),
  });
  const { typed, isChanged, conflict } = form;
  const isOn = (name: ListedSwitch): boolean => config[name] === 1;
  const numberOf = (name: NumericSetting): number =>
    isValid(name, typed[name]) ? Number(typed[name]) : config[name];
  const isReady = isChanged && NUMBER_SETTINGS.every((name) => isValid(name, typed[name]));
  return (
    <Panel title={t('admin.tabs.settings/waitlist')}>
      <form
        className={styles.sections}
        noValidate
        onSubmit={(event) => (isReady ? form.submit(event) : event.preventDefault())}
      >
        {LISTED.map((name) => (
          <div key={name} className={styles.form}>
            <StoredSwitch name={name} on={isOn(name)} />
            <p className="muted small">
              {t(`admin.settings.waitlist.${isOn(name) ? 'on' : 'off'}.${name}`, {
                minutes: numberOf('hold_minutes'),
                count: numberOf('grace_minutes'),
              })}
            </p>
            {name === 'waits_enabled' && !isOn(name) && waiting > 0 ? (
              <p className="muted small">
                {t('admin.settings.waitlist.entriesKept', { count: waiting })}
              </p>
            ) : null}
            {NUMBER_SETTINGS.filter((one) => SETTINGS[one].under === name).map((one) => (
              <NumberField key={one} form={form} name={one}>
                {conflict.theirs && conflict.changed.includes(one) ? (
                  <Alert>
                    {t('admin.settings.waitlist.changedByOther', { count: config[one] })}
                  </Alert>
                ) : null}
              </NumberField>
            ))}
          </div>
        ))}
        {form.error ? <Alert tone="bad">{form.error}</Alert> : null}
        <Cluster>
          <Button type="submit" variant="primary" busy={form.busy} aria-disabled={!isReady}>
            {t('common.save')}
          </Button>
        </Cluster>
      </form>
    </Panel>
  );
}

function isValid(name: NumericSetting, text: string): boolean {
  const { min, max } = SETTINGS[name];
  return /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
}

interface NumberFieldProps {
  form: RecordForm<Config, Typed, ConfigChange>;
  name: NumericSetting;
  children: ReactNode;
}

function NumberField({ form: { form, fields }, name, children }: NumberFieldProps): ReactNode {
  const { t } = useTranslation();
  const { field } = useController({ control: form.control, name });
  const { min, max } = SETTINGS[name];
  return (
    <>
      <Field
        label={fields[name].label}
        error={isValid(name, field.value) ? null : t('admin.settings.waitlist.range', { min, max })}
        className={styles.minutes}
      >
        <TextInput {...field} type="number" inputMode="numeric" min={min} max={max} step={1} />
      </Field>
      {children}
    </>
  );
}
