import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { ArchivedEvent } from '../../../../shared/schemas/archive.ts';
import { getArchivedClaims, getArchivedEvents } from '../../../api/admin-calls.ts';
import { useServerPages, useServerQuery } from '../../../api/query.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { DateText } from '../../../ui/hours/time-text.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { PageEnd } from '../pages/pages.tsx';
import { EventFacts } from './event-row.tsx';
import styles from './events.module.css';

export function ArchiveButton({ onOpen }: { onOpen: () => void }): ReactNode {
  const { t } = useTranslation();
  const { data } = useServerQuery({
    queryKey: ['archived events', 'any'],
    queryFn: ({ signal }) => getArchivedEvents({ limit: 1 }, signal),
  });
  if (!data || data.records.length === 0) return null;
  return <Button onClick={onOpen}>{t('admin.events.archive.open')}</Button>;
}

export function ArchiveDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const [event, setEvent] = useState<ArchivedEvent | null>(null);
  const pages = useServerPages({ queryKey: ['archived events', 'pages'], read: getArchivedEvents });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title={
        event
          ? t('admin.events.archive.claimsOf', { name: event.name })
          : t('admin.events.archive.title')
      }
      description={event ? null : t('admin.events.archive.text')}
      actions={
        event ? (
          <Button onClick={() => setEvent(null)}>{t('admin.events.archive.back')}</Button>
        ) : null
      }
    >
      {event ? (
        <ArchivedClaims event={event} />
      ) : (
        <Stack>
          <ul className={styles.archiveList}>
            {pages.records.map((archived) => (
              <Cluster key={archived.id} as="li" rowGap={2} gap={4} justify="space-between">
                <div>
                  <h3 className="anywhere">
                    {archived.name} <Badge>{t(`admin.events.type.${archived.type}`)}</Badge>
                  </h3>
                  <EventFacts event={archived}>
                    <span>
                      {t('admin.events.archive.since')} <DateText at={archived.archived_at} />
                    </span>
                  </EventFacts>
                </div>
                <Button
                  small
                  onClick={() => setEvent(archived)}
                  aria-label={t('admin.events.archive.claimsOf', { name: archived.name })}
                >
                  {t('admin.events.archive.claims')}
                </Button>
              </Cluster>
            ))}
          </ul>
          <PageEnd pages={pages} failed={t('admin.events.archive.failed')} />
        </Stack>
      )}
    </Dialog>
  );
}

function ArchivedClaims({ event }: { event: ArchivedEvent }): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const pages = useServerPages({
    queryKey: ['archived claims', event.id],
    read: async (page, signal) => {
      const { records, total } = await getArchivedClaims(event.id, page, signal);
      return { records: records.toReversed(), total };
    },
  });
  const inWords = (date: string): string => dayText(date, 'dayAndYear');
  return (
    <Stack>
      <EventFacts event={event} />
      {pages.status === 'ready' && pages.count === 0 ? (
        <EmptyState title={t('admin.events.archive.noClaims')} />
      ) : (
        <ul className={styles.archiveList}>
          {pages.records.map((claim) => (
            // A split claim has a row for each part.
            <li key={`${claim.id} ${claim.split_part_number}`} className={styles.archiveClaim}>
              <span className="semibold">{claim.respawn_name}</span>
              <span>
                {claim.date === null
                  ? t('admin.claims.everyDay', { name: event.name })
                  : inWords(claim.date)}
              </span>
              <HoursText
                date={claim.date ?? eventDate(event.start_time)}
                start={claim.hour_start}
                end={claim.hour_end}
              />
              <span>
                {claim.character_name} <MemberTypeBadge memberType={claim.member_type} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <PageEnd pages={pages} failed={t('admin.events.archive.failed')} />
    </Stack>
  );
}
