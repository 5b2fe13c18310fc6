import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SettingsIcon } from '../../../ui/icons.tsx';
import { GuildNameForm } from './guild-name-form.tsx';
import styles from './settings.module.css';
import { SettingsFacts } from './settings-facts.tsx';
import { SubmissionSwitch } from './submission-switch.tsx';
import { useConfig } from './use-config.ts';

/** In the dashboard's head on every tab: the submission switch, and the other settings behind a button. */
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
          <SettingsFacts config={config} />
        </div>
      </Dialog>
    </>
  );
}
