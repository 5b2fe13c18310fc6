import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getAdminStanding } from '../../../api/admin-calls.ts';
import { useServerPages } from '../../../api/query.ts';
import { useWeekdaysText } from '../../../lib/words/weekly-claims.ts';
import { useBoard } from '../../../state/board-store.ts';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { DateText } from '../../../ui/hours/time-text.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { PageEnd, useReloadOn } from '../pages/pages.tsx';

export function EndedWeeklyClaims({ character }: { character?: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const weekdaysText = useWeekdaysText();
  // One that ends leaves the live list.
  const live = useBoard((board) => board.byKind.standing_claim.size);
  const query = { state: 'ended' as const, ...(character !== undefined && { character }) };
  const pages = useServerPages({
    queryKey: ['admin', 'ended weekly claims', query],
    read: (page, signal) => getAdminStanding({ ...query, ...page }, signal),
  });
  useReloadOn(live, pages);
  if (pages.status === 'ready' && pages.count === 0) return null;
  const newestFirst = pages.records.toSorted((one, other) => other.id - one.id);
  return (
    <Panel title={t('admin.weeklyClaims.ended.title')}>
      <ul>
        {newestFirst.map(
          ({
            id,
            character_name,
            respawn_name,
            weekdays,
            from,
            hour_start,
            hour_end,
            end_reason,
            ended_at,
          }) => (
            <li key={id}>
              {character_name}, {respawn_name}, {weekdaysText(weekdays)},{' '}
              <HoursText date={from} start={hour_start} end={hour_end} />:{' '}
              {end_reason ? t(`admin.activity.weeklyClaimEnded.${end_reason}`) : null}
              {ended_at ? (
                <>
                  , <DateText at={ended_at} />
                </>
              ) : null}
            </li>
          ),
        )}
      </ul>
      <PageEnd pages={pages} failed={t('admin.weeklyClaims.ended.failed')} />
    </Panel>
  );
}
