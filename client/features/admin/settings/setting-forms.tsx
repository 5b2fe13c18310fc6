import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { Config } from '../../../../shared/schemas/config.ts';
import { MINUTES_SETTINGS, type MinutesSetting, SETTINGS, SWITCH_SETTINGS } from '../../../../shared/settings.ts';
import { updateConfig } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './settings.module.css';

/** The submission switch has its own control in the header. */
const LISTED = SWITCH_SETTINGS.filter((name) => name !== 'submission_enabled');

/** The guild's other switches, each with its effect on members and the minutes that belong to it. */
export function SwitchSettings({ config }: { config: Config }): ReactNode {
  const { t } = useTranslation();
  const waiting = useBoard((board) => board.byKind.wait.size);
  const hasLeftovers = config.waits_enabled === 0 && waiting > 0;
  return (
    <section className={styles.line}>
      <h3 className={styles.subtitle}>{t('admin.settings.waitlist.title')}</h3>
      {LISTED.map((name) => (
        <SettingSwitch key={name} config={config} name={name}>
          {name === 'waits_enabled' && hasLeftovers ? (
            <p className={styles.hint}>{t('admin.settings.waitlist.entriesKept', { count: waiting })}</p>
          ) : null}
          {MINUTES_SETTINGS.filter((minutes) => SETTINGS[minutes].under === name).map((minutes) => (
            <MinutesForm key={minutes} stored={config[minutes]} name={minutes} />
          ))}
        </SettingSwitch>
      ))}
    </section>
  );
}

interface SettingSwitchProps {
  config: Config;
  name: (typeof LISTED)[number];
  children?: ReactNode;
}

function SettingSwitch({ config, name, children }: SettingSwitchProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const on = config[name] === 1;
  const store = async (next: boolean): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    try {
      await updateConfig({ [name]: next ? 1 : 0 });
      showToast({ text: t('admin.settings.saved') });
    } catch (error) {
      setRefusal(error);
    }
    setBusy(false);
  };
  return (
    <div className={styles.form}>
      <Switch
        label={t(`admin.settings.waitlist.${name}`)}
        state={on ? t('admin.settings.on') : t('admin.settings.off')}
        on={on}
        busy={busy}
        onChange={(next) => void store(next)}
      />
      <p className={styles.hint}>
        {t(`admin.settings.waitlist.${on ? 'on' : 'off'}.${name}`, { minutes: config.hold_minutes, count: config.grace_minutes })}
      </p>
      {children}
      {refusal ? <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(refusal) })}</Alert> : null}
    </div>
  );
}

/** The guild whose members may verify a character. */
export function GuildNameForm({ stored }: { stored: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { typed, isChanged, changedMeanwhile, busy, refusal, type, submit } = useSetting(stored, {
    tidy: tidyName,
    store: (guild_name) => updateConfig({ guild_name }),
  });
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <div className={styles.row}>
        <Field
          label={t('admin.settings.guildName')}
          hint={stored ? t('admin.settings.guildMembersOnly', { guild_name: stored }) : t('admin.settings.anyone')}
          className={styles.field}
        >
          <TextInput value={typed} onChange={(event) => type(event.target.value)} maxLength={60} autoComplete="off" spellCheck={false} />
        </Field>
        <Button type="submit" variant="primary" busy={busy} aria-disabled={!isChanged}>
          {t('common.save')}
        </Button>
      </div>
      {changedMeanwhile ? (
        <Alert>{stored ? t('admin.settings.changedByOther', { guild_name: stored }) : t('admin.settings.clearedByOther')}</Alert>
      ) : null}
      {refusal ? <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(refusal) })}</Alert> : null}
    </form>
  );
}

interface MinutesFormProps {
  stored: number;
  name: MinutesSetting;
}

/** A number of minutes within the setting's range. */
function MinutesForm({ stored, name }: MinutesFormProps): ReactNode {
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
          label={t(`admin.settings.waitlist.${name}`)}
          error={isValid(typed) ? null : t('admin.settings.waitlist.range', { min, max })}
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
        <Button
          type="submit"
          busy={busy}
          aria-disabled={!isChanged || !isValid(typed)}
          aria-label={t(`admin.settings.waitlist.save.${name}`)}
        >
          {t('common.save')}
        </Button>
      </div>
      {changedMeanwhile ? <Alert>{t('admin.settings.waitlist.changedByOther', { count: stored })}</Alert> : null}
      {refusal ? <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(refusal) })}</Alert> : null}
    </form>
  );
}

interface Setting {
  typed: string;
  /** It differs from the stored value. */
  isChanged: boolean;
  /** Another admin stored another value since typing began here. */
  changedMeanwhile: boolean;
  busy: boolean;
  refusal: unknown;
  type: (text: string) => void;
  submit: (event: FormEvent) => Promise<void>;
}

interface SettingOptions {
  /** The typed text as it will be stored. */
  tidy: (typed: string) => string;
  isValid?: (typed: string) => boolean;
  store: (typed: string) => Promise<unknown>;
}

/** A field of the guild's settings. It follows the stored value until it is edited, then keeps the draft and reports other admins' changes. */
function useSetting(stored: string, { tidy, isValid = () => true, store }: SettingOptions): Setting {
  const { t } = useTranslation();
  /** The text typed, and the stored text it replaces; null: unedited. */
  const [draft, setDraft] = useState<{ text: string; over: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const typed = draft?.text ?? stored;
  const isChanged = tidy(typed) !== stored;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy || !isChanged || !isValid(typed)) return;
    setBusy(true);
    setRefusal(null);
    try {
      await store(typed);
      // Text typed while saving is not stored yet.
      setDraft((now) => (now?.text === typed ? null : now));
      showToast({ text: t('admin.settings.saved') });
    } catch (error) {
      setRefusal(error);
    }
    setBusy(false);
  };

  return {
    typed,
    isChanged,
    changedMeanwhile: draft !== null && draft.over !== stored && isChanged,
    busy,
    refusal,
    type: (text) => setDraft({ text, over: draft?.over ?? stored }),
    submit,
  };
}
