import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toCsv } from '../../../lib/csv.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useBoard } from '../../../store/board-store.ts';
import { useServerSaveTime } from '../../../store/clock.ts';
import { Button } from '../../../ui/button.tsx';
import type { ClaimGroup } from './claim-groups.ts';

const COLUMNS = ['respawn', 'date', 'start', 'end', 'character', 'type', 'part', 'priority', 'event', 'created'] as const;

/** Saves the claims that are shown as a table; a split claim has a line for each part. */
export function DownloadClaims({ groups }: { groups: readonly ClaimGroup[] }): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const download = (): void => {
    const events = useBoard.getState().byKind.event;
    const rows = groups.flatMap(({ name, days }) =>
      days.flatMap(({ claims }) =>
        claims.map((claim) => [
          name,
          claim.date,
          claim.hour_start,
          claim.hour_end,
          claim.character_name,
          claim.member_type,
          claim.split_part_number,
          claim.is_secondary_claim ? claim.secondary_priority : null,
          claim.event_id === null ? null : (events.get(claim.event_id)?.name ?? null),
          claim.created_at,
        ]),
      ),
    );
    const headings = COLUMNS.map((column) => t(`admin.claims.columns.${column}`));
    saveFile(`claims-${today}.csv`, toCsv(headings, rows), 'text/csv');
  };
  return (
    <Button onClick={download} disabled={groups.length === 0}>
      {t('admin.claims.download')}
    </Button>
  );
}
