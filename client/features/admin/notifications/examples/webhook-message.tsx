import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { News } from '../../../../../shared/schemas/news.ts';
import styles from './webhook-message.module.css';

/** What a webhook is sent, headers and body. */
export function WebhookMessage({ news }: { news: News }): ReactNode {
  const { t } = useTranslation();
  const headers = [
    ['webhook-id', 'msg_1042_3'],
    ['webhook-timestamp', String(Math.floor(Date.parse(news.timestamp) / 1000))],
    ['webhook-signature', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  ];
  return (
    <div className={styles.message}>
      <p className={styles.note}>{t('admin.notifications.form.webhookNote')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <pre className={styles.json} tabIndex={0}>
        {headers.map(([name, value]) => `${name}: ${value}\n`).join('')}
        {'\n'}
        {JSON.stringify(news, null, 2)}
      </pre>
    </div>
  );
}
