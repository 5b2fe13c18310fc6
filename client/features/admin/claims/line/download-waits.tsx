import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getAdminWaits } from '../../../../api/calls.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { DownloadButton, readAllPages } from '../../pages/pages.tsx';
import { queryOf } from '../endings/use-endings-query.ts';
import { useOutcome } from './ended-table.tsx';

const COLUMNS = ['ended', 'outcome', 'spot', 'date', 'start', 'end', 'character', 'type', 'made'] as const;

/** Saves every wait of these dates that has ended, also those that are not loaded here. */
export function DownloadWaits({ from, to }: { from: string; to: string }): ReactNode {
  const { t } = useTranslation();
  const outcome = useOutcome();
  return (
    <DownloadButton
      name="waits"
      headings={COLUMNS.map((column) => t(`admin.line.past.columns.${column}`))}
      rows={async (signal, onProgress) => {
        const query = { state: 'ended', ...queryOf({ reason: '', from, to }) } as const;
        const waits = await readAllPages((page) => getAdminWaits({ ...query, ...page }, signal), signal, onProgress);
        const { respawn } = useBoard.getState().byKind;
        return waits.map((wait) => [
          wait.ended_at,
          outcome(wait.status),
          respawn.get(wait.respawn_id)?.name ?? wait.respawn_id,
          wait.date,
          wait.hour_start,
          wait.hour_end,
          wait.character_name,
          wait.member_type,
          wait.created_at,
        ]);
      }}
      failed={(reason) => t('admin.line.past.downloadFailed', { reason })}
    />
  );
}
