import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ArchivedEvent } from '../../../../../shared/schemas/archive.ts';
import { getArchivedEvents } from '../../../../api/calls.ts';
import { useServerPages } from '../../../../api/query.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { DateText } from '../../../../ui/hours/time-text.tsx';
import { PageEnd } from '../../pages/pages.tsx';
import { EventFacts } from '../event-facts.tsx';
import styles from './archive.module.css';
import { ArchivedClaims } from './archived-claims.tsx';

/** Events that were over for long and left for the archive: to be read, with their claims; nothing changes them any more. */
export function ArchiveDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [event, setEvent] = useState<ArchivedEvent | null>(null);
  const pages = useServerPages({ queryKey: ['archived events', 'pages'], read: getArchivedEvents });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title={event ? t('admin.events.archive.claimsOf', { name: event.name }) : t('admin.events.archive.title')}
      description={event ? null : t('admin.events.archive.text')}
      actions={event ? <Button onClick={() => setEvent(null)}>{t('admin.events.archive.back')}</Button> : null}
    >
      {event ? (
        <ArchivedClaims event={event} />
      ) : (
        <div className={styles.pages}>
          {pages.status === 'ready' && pages.count === 0 ? (
            <EmptyState title={t('admin.events.archive.empty.title')} text={t('admin.events.archive.empty.text')} />
          ) : (
            <ul className={styles.list}>
              {pages.records.map((archived) => (
                <li key={archived.id} className={styles.event}>
                  <div>
                    <h3 className={styles.name}>
                      {archived.name} <Badge>{t(`admin.events.type.${archived.type}`)}</Badge>
                    </h3>
                    <EventFacts event={archived}>
                      <span>
                        {t('admin.events.archive.since')} <DateText at={archived.archived_at} />
                      </span>
                    </EventFacts>
                  </div>
                  <Button small onClick={() => setEvent(archived)} aria-label={t('admin.events.archive.claimsOf', { name: archived.name })}>
                    {t('admin.events.archive.claims')}
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <PageEnd pages={pages} failed={t('admin.events.archive.failed')} />
        </div>
      )}
    </Dialog>
  );
}
