import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesInWords } from '../../../../shared/rules/shown-params.ts';
import type { SystemBackup } from '../../../../shared/schemas/system.ts';
import { startBackup } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './system.module.css';
import { useMinute } from './use-minute.ts';

/** When the newest backup was made, and one more by a press, with how far it is. */
export function Backups({ backup, onBegun }: { backup: SystemBackup; onBegun: () => void }): ReactNode {
  const { t, i18n } = useTranslation();
  const minute = useMinute();
  const errorText = useErrorText();
  const [isAsking, setAsking] = useState(false);
  const { newest, running, failure, every_hours, kept } = backup;
  const start = async (): Promise<void> => {
    setAsking(true);
    try {
      await startBackup();
      onBegun();
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.system.backup.failed', { reason: errorText(error) }) });
    }
    setAsking(false);
  };
  const newestText = (of: SystemBackup['newest']): string => {
    if (of === null) return t('admin.system.backup.none');
    const made = { at: minute(of.made_at), size: bytesInWords(of.bytes, formatLocale(i18n.language)) };
    if (of.elsewhere === null) return t('admin.system.backup.newest', made);
    return t('admin.system.backup.newestOn', { ...made, server: of.elsewhere });
  };
  return (
    <Panel title={t('admin.system.backup.title')}>
      <div className={styles.row}>
        <div className={styles.about}>
          <p>{newestText(newest)}</p>
          <p className={styles.more}>
            {every_hours > 0 && kept > 0 ? t('admin.system.backup.every', { hours: every_hours, kept }) : t('admin.system.backup.off')}
          </p>
          <p className={styles.more}>{t('admin.system.backup.secret')}</p>
        </div>
        <div className={styles.action}>
          <Button busy={isAsking || running !== null} onClick={() => void start()}>
            {t('admin.system.backup.now')}
          </Button>
          <p role="status" className={styles.more}>
            {running === null
              ? null
              : running.percent === null
                ? t('admin.system.backup.running')
                : t('admin.system.backup.percent', { percent: running.percent })}
          </p>
        </div>
      </div>
      {failure && !running ? (
        <Alert tone="bad" className={styles.failure}>
          {t('admin.system.backup.failed', { reason: failure.reason })}
        </Alert>
      ) : null}
    </Panel>
  );
}
