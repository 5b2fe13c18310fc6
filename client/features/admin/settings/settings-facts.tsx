import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Config } from '../../../../shared/schemas/config.ts';
import styles from './settings.module.css';

/** What whoever runs the server has set: to be read here, not changed. */
export function SettingsFacts({ config }: { config: Config }): ReactNode {
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
