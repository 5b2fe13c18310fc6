import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Config } from '../../../../shared/schemas/config.ts';
import { MINUTES_SETTINGS, SETTINGS, SWITCH_SETTINGS } from '../../../../shared/settings.ts';
import { updateConfig } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { MinutesForm } from './minutes-form.tsx';
import styles from './settings.module.css';

/** The submission switch has a control of its own. */
const LISTED = SWITCH_SETTINGS.filter((name) => name !== 'submission_enabled');

/** The guild's other switches, each with what it changes for members and the minutes that belong to it. */
export function LineSettings({ config }: { config: Config }): ReactNode {
  const { t } = useTranslation();
  const waiting = useBoard((board) => board.byKind.wait.size);
  const stays = config.waits_enabled === 0 && waiting > 0;
  return (
    <section className={styles.line}>
      <h3 className={styles.subtitle}>{t('admin.settings.line.title')}</h3>
      {LISTED.map((name) => (
        <LineSwitch key={name} config={config} name={name}>
          {name === 'waits_enabled' && stays ? (
            <p className={styles.hint}>{t('admin.settings.line.stillWaiting', { count: waiting })}</p>
          ) : null}
          {MINUTES_SETTINGS.filter((minutes) => SETTINGS[minutes].under === name).map((minutes) => (
            <MinutesForm key={minutes} stored={config[minutes]} name={minutes} />
          ))}
        </LineSwitch>
      ))}
    </section>
  );
}

interface LineSwitchProps {
  config: Config;
  name: (typeof LISTED)[number];
  children?: ReactNode;
}

function LineSwitch({ config, name, children }: LineSwitchProps): ReactNode {
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
        label={t(`admin.settings.line.${name}`)}
        state={on ? t('admin.settings.on') : t('admin.settings.off')}
        on={on}
        busy={busy}
        onChange={(next) => void store(next)}
      />
      <p className={styles.hint}>
        {t(`admin.settings.line.${on ? 'on' : 'off'}.${name}`, { minutes: config.hold_minutes, count: config.grace_minutes })}
      </p>
      {children}
      {refusal ? <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(refusal) })}</Alert> : null}
    </div>
  );
}
