import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Destination, MAX_DESTINATIONS } from '../../../../shared/schemas/destination.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay, useNotificationsPaused } from '../../../state/permissions.ts';
import { Alert } from '../../../ui/alert.tsx';
import { BlockedButton, Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import tab from '../tab.module.css';
import { ChannelDialog } from './channel-form.tsx';
import { ChannelRow } from './channel-row.tsx';
import { DiscordAppSection } from './discord-app.tsx';
import styles from './notifications.module.css';
import { type Secret, SecretDialog } from './secret-dialog.tsx';

export function NotificationsTab(): ReactNode {
  const isOwner = useMay('system');
  return (
    <div className={tab.tab}>
      <Channels />
      {isOwner ? <DiscordAppSection /> : null}
    </div>
  );
}

/** The notification channels, live: Discord channels and webhooks. Switched-off ones first. */
function Channels(): ReactNode {
  const { t } = useTranslation();
  const table = useBoard((board) => board.byKind.destination);
  const [form, setForm] = useState<'new' | Destination | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const list = useRef<HTMLElement>(null);
  const isPaused = useNotificationsPaused();
  const named = inNameOrder(table.values(), ({ name }) => name);
  const channels = [
    ...named.filter(isSwitchedOff),
    ...named.filter((channel) => !isSwitchedOff(channel)),
  ];
  return (
    <section
      ref={list}
      tabIndex={-1}
      aria-label={t('admin.notifications.list')}
      className={tab.tab}
    >
      {channels.length === 0 ? (
        <EmptyState
          title={t('admin.notifications.empty.title')}
          text={t('admin.notifications.empty.text')}
          action={<AddButton count={0} onAdd={() => setForm('new')} />}
        />
      ) : (
        <>
          <Cluster rowGap={3} gap={6} align="start" justify="space-between">
            <p className={styles.intro}>{t('admin.notifications.intro')}</p>
            <AddButton count={channels.length} onAdd={() => setForm('new')} />
          </Cluster>
          {isPaused ? (
            <Alert tone="bad" title={t('admin.system.paused.title')}>
              {t('admin.notifications.paused')}
            </Alert>
          ) : null}
          <ul className={tab.surface}>
            {channels.map((channel) => (
              <ChannelRow
                key={channel.id}
                channel={channel}
                onEdit={() => setForm(channel)}
                onSecret={setSecret}
                focusAfterDelete={list}
              />
            ))}
          </ul>
        </>
      )}
      <ChannelDialog
        subject={form}
        channels={named}
        onClose={() => setForm(null)}
        onSecret={setSecret}
      />
      {secret ? (
        <SecretDialog secret={secret} onClose={() => setSecret(null)} focusAfter={list} />
      ) : null}
    </section>
  );
}

const isSwitchedOff = ({ switched_off }: Destination): boolean => switched_off !== null;

/** At the limit it is disabled, with the reason below. */
function AddButton({ count, onAdd }: { count: number; onAdd: () => void }): ReactNode {
  const { t } = useTranslation();
  const label = (
    <>
      <PlusIcon />
      {t('admin.notifications.add')}
    </>
  );
  if (count < MAX_DESTINATIONS) {
    return (
      <Button variant="primary" onClick={onAdd}>
        {label}
      </Button>
    );
  }
  const reason = t('admin.notifications.tooMany', { max: MAX_DESTINATIONS });
  return (
    <Stack gap={1} className={styles.full}>
      <BlockedButton reason={reason}>{label}</BlockedButton>
      <p className="faint small">{reason}</p>
    </Stack>
  );
}
