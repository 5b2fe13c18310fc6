import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../../shared/rules/event-period.ts';
import type { ArchivedEvent } from '../../../../../shared/schemas/archive.ts';
import { getArchivedClaims } from '../../../../api/calls.ts';
import { useServerPages } from '../../../../api/query.ts';
import { dayText, formatLocale } from '../../../../lib/time-text.ts';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { HoursText } from '../../../../ui/hours/hours-text.tsx';
import { MemberTypeBadge } from '../../../../ui/member-type-badge.tsx';
import { PageEnd } from '../../pages/pages.tsx';
import { EventFacts } from '../event-facts.tsx';
import styles from './archive.module.css';

/** Who held which spot when in an event that is archived. */
export function ArchivedClaims({ event }: { event: ArchivedEvent }): ReactNode {
  const { t, i18n } = useTranslation();
  const pages = useServerPages({
    queryKey: ['archived claims', event.id],
    read: async (page, signal) => {
      const { records, total } = await getArchivedClaims(event.id, page, signal);
      return { records: records.toReversed(), total };
    },
  });
  const inWords = (date: string): string => dayText(date, formatLocale(i18n.language), 'dayAndYear');
  return (
    <div className={styles.pages}>
      <EventFacts event={event} />
      {pages.status === 'ready' && pages.count === 0 ? (
        <EmptyState title={t('admin.events.archive.noClaims')} />
      ) : (
        <ul className={styles.list}>
          {pages.records.map((claim) => (
            // A split claim has a line for each part.
            <li key={`${claim.id} ${claim.split_part_number}`} className={styles.claim}>
              <span className={styles.spot}>{claim.respawn_name}</span>
              <span>{claim.date === null ? t('admin.claims.everyDay', { name: event.name }) : inWords(claim.date)}</span>
              <HoursText date={claim.date ?? eventDate(event.start_time)} start={claim.hour_start} end={claim.hour_end} />
              <span>
                {claim.character_name} <MemberTypeBadge memberType={claim.member_type} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <PageEnd pages={pages} failed={t('admin.events.archive.failed')} />
    </div>
  );
}
