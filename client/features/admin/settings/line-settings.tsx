import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Config } from '../../../../shared/schemas/config.ts';
import { updateConfig } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../store/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { MinutesForm } from './minutes-form.tsx';
import styles from './settings.module.css';

/** Whether members wait in line, give hours back and have to say that they came, each with what it changes for them. */
export function LineSettings({ config }: { config: Config }): ReactNode {
  const { t } = useTranslation();
  const { hold_minutes, grace_minutes } = config;
  const waiting = useBoard((board) => board.byKind.wait.size);
  const stays = config.waits_enabled === 0 && waiting > 0;
  return (
    <section className={styles.line}>
      <h3 className={styles.subtitle}>{t('admin.settings.line.title')}</h3>
      <LineSwitch
        config={config}
        name="waits_enabled"
        text={t(config.waits_enabled ? 'admin.settings.line.waitsOn' : 'admin.settings.line.waitsOff', { minutes: hold_minutes })}
      >
        {stays ? <p className={styles.hint}>{t('admin.settings.line.stillWaiting', { count: waiting })}</p> : null}
        <MinutesForm stored={hold_minutes} name="hold_minutes" min={1} />
      </LineSwitch>
      <LineSwitch
        config={config}
        name="release_enabled"
        text={t(config.release_enabled ? 'admin.settings.line.releaseOn' : 'admin.settings.line.releaseOff')}
      />
      <LineSwitch
        config={config}
        name="confirm_enabled"
        text={t(config.confirm_enabled ? 'admin.settings.line.confirmOn' : 'admin.settings.line.confirmOff', { count: grace_minutes })}
      >
        <MinutesForm stored={grace_minutes} name="grace_minutes" min={0} />
      </LineSwitch>
    </section>
  );
}

interface LineSwitchProps {
  config: Config;
  name: 'waits_enabled' | 'release_enabled' | 'confirm_enabled';
  /** What it means for members as it stands. */
  text: string;
  children?: ReactNode;
}

function LineSwitch({ config, name, text, children }: LineSwitchProps): ReactNode {
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
      <p className={styles.hint}>{text}</p>
      {children}
      {refusal ? <Alert tone="bad">{t('admin.settings.failed', { reason: errorText(refusal) })}</Alert> : null}
    </div>
  );
}
