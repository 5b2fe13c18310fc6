import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ending } from '../../../../../shared/schemas/ending.ts';
import { MAX_PAGE } from '../../../../../shared/schemas/fields.ts';
import { getEndings } from '../../../../api/calls.ts';
import type { CsvCell } from '../../../../lib/csv.ts';
import { useBoard } from '../../../../store/board-store.ts';
import { DownloadTable, type OnProgress } from '../../pages/download-table.tsx';
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
    <DownloadTable
      name="endings"
      headings={COLUMNS.map((column) => t(`admin.endings.columns.${column}`))}
      rows={async (signal, onProgress) => (await allEndings(filter, signal, onProgress)).map(rowOf)}
      failed={(reason) => t('admin.endings.downloadFailed', { reason })}
    />
  );
}

/** @throws ApiError; what the signal is aborted with */
async function allEndings(filter: EndingsFilter, signal: AbortSignal, onProgress: OnProgress): Promise<Ending[]> {
  const endings: Ending[] = [];
  for (let all = 0; ; ) {
    const last = endings.at(-1);
    const page = await getEndings({ ...queryOf(filter), limit: MAX_PAGE, ...(last && { before: last.id }) }, signal);
    signal.throwIfAborted();
    endings.push(...page.records);
    all = Math.max(all, page.total ?? 0, endings.length);
    onProgress(endings.length, all);
    if (page.records.length < MAX_PAGE) return endings;
  }
}
