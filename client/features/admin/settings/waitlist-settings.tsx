import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Config } from '../../../../shared/schemas/config.ts';
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
import { Cluster } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useDraftState } from '../forms/drafts.ts';
import { useConfig } from './guild-settings.tsx';
import styles from './settings.module.css';

/** The submission switch has its own control in the dashboard's status line. */
const LISTED = SWITCH_SETTINGS.filter((name) => name !== 'submission_enabled');
type ListedSwitch = (typeof LISTED)[number];
/** An edited value, and the stored one it replaces: another admin may store a third. */
interface Draft {
  text: string;
  over: string;
}

const UNEDITED: { [N in NumericSetting]?: Draft } = {};

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

/** A switch is stored at once; numbers are saved together. Fields that are not edited follow what other admins store. */
function WaitlistForm({ config }: { config: Config }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [drafts, setDrafts] = useDraftState('waitlist settings', UNEDITED);
  const waiting = useBoard((board) => board.byKind.wait.size);

  const stored = (name: NumericSetting): string => String(config[name]);
  const typed = (name: NumericSetting): string => drafts[name]?.text ?? stored(name);
  const isOn = (name: ListedSwitch): boolean => config[name] === 1;
  const numberOf = (name: NumericSetting): number =>
    isValid(name, typed(name)) ? Number(typed(name)) : config[name];
  const edit = (name: NumericSetting, text: string): void =>
    setDrafts({ ...drafts, [name]: { text, over: drafts[name]?.over ?? stored(name) } });
  const changed = NUMBER_SETTINGS.filter(
    (name) => Number(typed(name)) !== config[name] || typed(name) === '',
  );
  const isReady = changed.length > 0 && NUMBER_SETTINGS.every((name) => isValid(name, typed(name)));

  const save = useAction({
    work: (_typed: typeof drafts) =>
      updateConfig(Object.fromEntries(changed.map((name) => [name, numberOf(name)]))),
    done: (_config, saved) => {
      // Keep edits made while saving.
      setDrafts((now) => {
        const next = { ...now };
        for (const name of NUMBER_SETTINGS)
          if (next[name]?.text === saved[name]?.text) delete next[name];
        return next;
      });
      showToast({ text: t('admin.settings.saved') });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) save.run(drafts);
  };

  return (
    <Panel title={t('admin.tabs.settings/waitlist')}>
      <form className={styles.sections} noValidate onSubmit={submit}>
        {LISTED.map((name) => (
          <div key={name} className={styles.form}>
            <StoredSwitch name={name} on={isOn(name)} />
            <p className={styles.hint}>
              {t(`admin.settings.waitlist.${isOn(name) ? 'on' : 'off'}.${name}`, {
                minutes: numberOf('hold_minutes'),
                count: numberOf('grace_minutes'),
              })}
            </p>
            {name === 'waits_enabled' && !isOn(name) && waiting > 0 ? (
              <p className={styles.hint}>
                {t('admin.settings.waitlist.entriesKept', { count: waiting })}
              </p>
            ) : null}
            {NUMBER_SETTINGS.filter((one) => SETTINGS[one].under === name).map((one) => (
              <NumberField
                key={one}
                name={one}
                typed={typed(one)}
                onChange={(text) => edit(one, text)}
              >
                {changedMeanwhile(drafts[one], stored(one)) ? (
                  <Alert>
                    {t('admin.settings.waitlist.changedByOther', { count: config[one] })}
                  </Alert>
                ) : null}
              </NumberField>
            ))}
          </div>
        ))}
        {save.failure ? (
          <Alert tone="bad">
            {t('admin.settings.failed', { reason: errorText(save.failure) })}
          </Alert>
        ) : null}
        <Cluster>
          <Button type="submit" variant="primary" busy={save.isBusy} aria-disabled={!isReady}>
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

const changedMeanwhile = (draft: Draft | undefined, stored: string): boolean =>
  draft !== undefined && draft.over !== stored && draft.text !== stored;

interface NumberFieldProps {
  name: NumericSetting;
  typed: string;
  onChange: (text: string) => void;
  children: ReactNode;
}

/** A number of minutes within the setting's range. */
function NumberField({ name, typed, onChange, children }: NumberFieldProps): ReactNode {
  const { t } = useTranslation();
  const { min, max } = SETTINGS[name];
  return (
    <>
      <Field
        label={t(`admin.settings.waitlist.${name}`)}
        error={isValid(name, typed) ? null : t('admin.settings.waitlist.range', { min, max })}
        className={styles.minutes}
      >
        <TextInput
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          step={1}
          value={typed}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      {children}
    </>
  );
}
