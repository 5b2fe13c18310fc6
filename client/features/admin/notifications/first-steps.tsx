import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Panel } from '../../../ui/panel.tsx';
import styles from './first-steps.module.css';

const STEPS = ['open', 'make', 'paste'] as const;

/** While nobody is told anything: how a channel's webhook is made in Discord, and the next step here. */
export function FirstSteps({ onAdd }: { onAdd: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <Panel>
      <div className={styles.first}>
        <div>
          <h2 className={styles.title}>{t('admin.notifications.empty.title')}</h2>
          <p className={styles.text}>{t('admin.notifications.empty.text')}</p>
        </div>
        <DiscordSteps />
        <div className={styles.next}>
          <Button variant="primary" onClick={onAdd}>
            <PlusIcon />
            {t('admin.notifications.add')}
          </Button>
          <p className={styles.other}>{t('admin.notifications.empty.other')}</p>
        </div>
      </div>
    </Panel>
  );
}

/** @param narrow one below the other, in a form */
export function DiscordSteps({ narrow }: { narrow?: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <ol className={narrow ? styles.narrowSteps : styles.steps}>
      {STEPS.map((step) => (
        <li key={step}>
          <p className={styles.step}>{t(`admin.notifications.steps.${step}.title`)}</p>
          <p className={styles.text}>{t(`admin.notifications.steps.${step}.text`)}</p>
        </li>
      ))}
    </ol>
  );
}
