import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Config } from '../../../../shared/schemas/config.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { SettingsIcon } from '../../../ui/icons.tsx';
import { GuildNameForm } from './guild-name-form.tsx';
import { LineSettings } from './line-settings.tsx';
import styles from './settings.module.css';
import { SubmissionSwitch, useConfig } from './submission-switch.tsx';

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
          <LineSettings config={config} />
          <SettingsFacts config={config} />
        </div>
      </Dialog>
    </>
  );
}

/** What whoever runs the server has set: to be read here, not changed. */
function SettingsFacts({ config }: { config: Config }): ReactNode {
  const { t } = useTranslation();
  const { ss_time_zone, ss_hour, board_visibility, character_check } = config;
  const facts = [
    { name: t('admin.settings.facts.save'), value: `${String(ss_hour).padStart(2, '0')}:00` },
    { name: t('admin.settings.facts.zone'), value: ss_time_zone },
    { name: t('admin.settings.facts.board'), value: t(`admin.settings.board.${board_visibility}`) },
    { name: t('admin.settings.facts.check'), value: t(`admin.settings.check.${character_check}`) },
  ];
  return (
    <section className={styles.facts}>
      <h3 className={styles.subtitle}>{t('admin.settings.facts.title')}</h3>
      <dl className={styles.list}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.hint}>{t('admin.settings.facts.hint')}</p>
    </section>
  );
}
