import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EVENT_KEY } from '../../../../shared/event-keys.ts';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { PublicEventType } from '../../../../shared/schemas/domain-events.ts';
import { useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveTime } from '../../../state/clock.ts';
import { Stack } from '../../../ui/layout.tsx';
import styles from './channel-form.module.css';
import { exampleEvent } from './example-events.ts';

/** An invented message to a webhook, folded. */
export function WebhookExample({ type }: { type: PublicEventType }): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const [timestamp] = useState(() => serverNow().toISOString());
  const guild_name = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.guild_name ?? null);
  const event = exampleEvent(type, { timestamp, today, guild_name });
  const headers = [
    ['webhook-id', 'msg_1042_3'],
    ['webhook-timestamp', String(Math.floor(Date.parse(timestamp) / 1000))],
    ['webhook-signature', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  ];
  return (
    <details className={styles.how}>
      <summary>
        {t('admin.notifications.form.exampleOf', {
          name: t(`admin.notifications.events.${EVENT_KEY[type]}.name`),
        })}
      </summary>
      <Stack gap={2}>
        <p className="muted small">{t('admin.notifications.form.webhookNote')}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
        <pre className={styles.webhookJson} tabIndex={0}>
          {headers.map(([name, value]) => `${name}: ${value}\n`).join('')}
          {'\n'}
          {JSON.stringify(event, null, 2)}
        </pre>
      </Stack>
    </details>
  );
}
