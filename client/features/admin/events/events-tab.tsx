import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../../shared/schemas/event.ts';
import { compareText } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { useMay } from '../../../state/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import tab from '../tab.module.css';
import { ArchiveButton, ArchiveDialog } from './archive-dialog.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import { EventDialog } from './event-form.tsx';
import { EventRow, useConfirmEventAction } from './event-row.tsx';
import styles from './events.module.css';

export function EventsTab(): ReactNode {
  const { t } = useTranslation();
  const table = useBoard((board) => board.byKind.event);
  const { date: today } = useServerSaveTime();
  const [form, setForm] = useState<'new' | Event | null>(null);
  const [copied, setCopied] = useState<Event | null>(null);
  const [inArchive, setInArchive] = useState(false);
  const list = useRef<HTMLElement>(null);
  const ask = useConfirmEventAction(list);
  const events = [...table.values()].sort(newestStartFirst);
  const mayGuild = useMay('guild');
  const create = mayGuild ? (
    <Button variant="primary" onClick={() => setForm('new')}>
      <PlusIcon />
      {t('admin.events.create')}
    </Button>
  ) : null;
  const archive = <ArchiveButton onOpen={() => setInArchive(true)} />;
  return (
    <section ref={list} tabIndex={-1} aria-label={t('admin.tabs.events')} className={tab.tab}>
      {events.length === 0 ? (
        <EmptyState
          title={t('admin.events.empty.title')}
          text={mayGuild ? t('admin.events.empty.text') : null}
          action={
            <Cluster className={styles.bar}>
              {archive}
              {create}
            </Cluster>
          }
        />
      ) : (
        <>
          <Cluster className={styles.bar}>
            {archive}
            {create}
          </Cluster>
          <ul className={tab.surface}>
            {events.map((event) => (
              <EventRow
                key={event.id}
                event={event}
                today={today}
                onEdit={() => setForm(event)}
                onAsk={(action) => ask(action, event)}
                onCopy={() => setCopied(event)}
              />
            ))}
          </ul>
        </>
      )}
      {copied ? <CopyDialog source={copied} onClose={() => setCopied(null)} /> : null}
      <EventDialog subject={form} onClose={() => setForm(null)} />
      {inArchive ? <ArchiveDialog onClose={() => setInArchive(false)} /> : null}
    </section>
  );
}

const newestStartFirst = (a: Event, b: Event): number =>
  compareText(b.start_time, a.start_time) || b.id - a.id;
