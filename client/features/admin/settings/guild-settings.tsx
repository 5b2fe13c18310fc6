import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { Config } from '../../../../shared/schemas/config.ts';
import { updateConfig } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { confirm } from '../../../state/overlays.ts';
import { usePresence } from '../../../state/presence-store.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { SettingsIcon } from '../../../ui/icons.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { GuildNameForm, SwitchSettings } from './setting-forms.tsx';
import styles from './settings.module.css';

/** In the dashboard's header: the submission switch, and the other settings behind a button. */
export function GuildSettings(): ReactNode {
  const { t } = useTranslation();
  const config = useConfig();
  const [open, setOpen] = useState(false);
  if (!config) return null;
  return (
    <>
      <SubmissionSwitch />
      <Button onClick={() => setOpen(true)}>
        <SettingsIcon />
        {t('admin.settings.open')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('admin.settings.title')}>
        <div className={styles.settings}>
          <GuildNameForm stored={config.guild_name ?? ''} />
          <SwitchSettings config={config} />
          <SettingsFacts config={config} />
        </div>
      </Dialog>
    </>
  );
}

/** Read-only: settings of the server's environment. */
function SettingsFacts({ config }: { config: Config }): ReactNode {
  const { t } = useTranslation();
  const { ss_time_zone, ss_hour, board_visibility, character_check } = config;
  const facts = [
    { name: t('admin.settings.environment.save'), value: `${String(ss_hour).padStart(2, '0')}:00` },
    { name: t('admin.settings.environment.zone'), value: ss_time_zone },
    { name: t('admin.settings.environment.board'), value: t(`admin.settings.board.${board_visibility}`) },
    { name: t('admin.settings.environment.verification'), value: t(`admin.settings.verification.${character_check}`) },
  ];
  return (
    <section className={styles.facts}>
      <h3 className={styles.subtitle}>{t('admin.settings.environment.title')}</h3>
      <dl className={styles.list}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.hint}>{t('admin.settings.environment.hint')}</p>
    </section>
  );
}

/** Opens and closes submission for the whole guild. Closing asks first and can be undone. It follows what other admins store. */
function SubmissionSwitch(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const config = useConfig();
  const [busy, setBusy] = useState(false);
  if (!config) return null;
  const on = config.submission_enabled === 1;
  const store = async (next: boolean): Promise<void> => {
    setBusy(true);
    try {
      await updateConfig({ submission_enabled: next ? 1 : 0 });
      if (next) showToast({ text: t('admin.settings.saved') });
      else showToast({ text: t('admin.settings.closed'), action: { label: t('admin.activity.undo'), onPress: () => void store(true) } });
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.settings.failed', { reason: errorText(error) }) });
    }
    setBusy(false);
  };
  const askToClose = (): void =>
    confirm({
      title: t('admin.settings.confirmClose.title'),
      text: <ClosingText />,
      confirmLabel: t('admin.settings.confirmClose.confirm'),
      onConfirm: () => store(false),
    });
  return (
    <Switch
      label={t('admin.settings.submission')}
      state={on ? t('admin.settings.on') : t('admin.settings.off')}
      on={on}
      busy={busy}
      onChange={(next) => (next ? void store(true) : askToClose())}
    />
  );
}

/** How many members closing affects, live while the dialog is open. */
function ClosingText(): ReactNode {
  const { t } = useTranslation();
  const keys = useBoard((board) => [...board.byKind.access_key.values()].filter((key) => !key.is_revoked).length);
  const watching = usePresence((presence) => presence.watching);
  return (
    <Stack gap={2}>
      <p>{t('admin.settings.confirmClose.keys', { count: keys })}</p>
      {watching === null ? null : <p>{t('admin.settings.confirmClose.watching', { count: watching })}</p>}
      <p>{t('admin.settings.confirmClose.kept')}</p>
    </Stack>
  );
}

/** The guild's settings, live; undefined until the board is loaded. */
const useConfig = (): Config | undefined => useBoard((board) => board.byKind.config.get(CONFIG_ID));
