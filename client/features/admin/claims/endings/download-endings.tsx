import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CsvCell } from '../../../../../shared/csv.ts';
import type { Ending } from '../../../../../shared/schemas/ending.ts';
import { getEndings } from '../../../../api/calls.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { DownloadButton, readAllPages } from '../../pages/pages.tsx';
import { type EndingsFilter, queryOf } from './use-endings-query.ts';

const COLUMNS = ['ended', 'reason', 'by', 'respawn', 'date', 'start', 'end', 'character', 'type', 'event', 'made'] as const;

/** Saves every ending that matches, also those that are not loaded here. */
export function DownloadEndings({ filter }: { filter: EndingsFilter }): ReactNode {
  const { t } = useTranslation();
  const rowOf = (ending: Ending): CsvCell[] => {
    const { event_id, reason } = ending;
    const event = event_id === null ? undefined : useBoard.getState().byKind.event.get(event_id);
    return [
      ending.ended_at,
      t(`endings.reason.${reason}`),
      ending.by,
      ending.respawn_name,
      ending.date,
      ending.hour_start,
      ending.hour_end,
      ending.character_name,
      ending.member_type,
      event?.name ?? event_id,
      ending.made_at,
    ];
  };
  return (
    <DownloadButton
      name="endings"
      headings={COLUMNS.map((column) => t(`admin.endings.columns.${column}`))}
      rows={async (signal, onProgress) =>
        (await readAllPages((page) => getEndings({ ...queryOf(filter), ...page }, signal), signal, onProgress)).map(rowOf)
      }
      failed={(reason) => t('admin.endings.downloadFailed', { reason })}
    />
  );
}
