import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CsvCell, toCsv } from '../../../../shared/csv.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { BlockedButton, Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './claims.module.css';
import { type ClaimFilter, type ClaimGroup, claimGroups } from './shown/claim-groups.ts';
import type { ShownClaims } from './shown/use-shown-claims.ts';

const COLUMNS = ['respawn', 'date', 'start', 'end', 'character', 'type', 'part', 'priority', 'event', 'created'] as const;

interface DownloadClaimsProps {
  shown: ShownClaims;
  filter: ClaimFilter;
  /** What the filter leaves of those that are shown. */
  groups: readonly ClaimGroup[];
}

/**
 * Saves the claims that match as a table, those that are not loaded here too: these are read page by page, and it can be
 * stopped; after a failed load all are read anew. A split claim has a line for each part.
 */
export function DownloadClaims({ shown, filter, groups }: DownloadClaimsProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const [progress, setProgress] = useState<{ done: number; all: number } | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const { status, earlier, readAll } = shown;
  const isWhole = status === 'ready' && earlier.isAll;

  const save = (matching: readonly ClaimGroup[]): void => {
    const headings = COLUMNS.map((column) => t(`admin.claims.columns.${column}`));
    saveFile(`claims-${today}.csv`, toCsv(headings, rowsOf(matching)), 'text/csv');
  };
  const downloadAll = async (): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setProgress({ done: earlier.count, all: earlier.total });
    try {
      const sources = await readAll(abort.signal, (done, all) => setProgress({ done, all }));
      save(claimGroups(sources, useBoard.getState().byKind.respawn, filter, today));
    } catch (error) {
      if (!abort.signal.aborted) showToast({ tone: 'bad', text: t('admin.claims.downloadFailed', { reason: errorText(error) }) });
    }
    setProgress(null);
  };
  const press = (): void => {
    if (progress) running.current?.abort();
    else if (isWhole) save(groups);
    else void downloadAll();
  };

  // One and the same button, so that it keeps the focus.
  return (
    <span className={styles.progress}>
      {progress ? <span role="status">{t('admin.claims.downloading', progress)}</span> : null}
      {status === 'loading' && !progress ? (
        <BlockedButton reason={t('admin.claims.stillLoading')}>{t('admin.claims.download')}</BlockedButton>
      ) : (
        <Button disabled={!progress && isWhole && groups.length === 0} onClick={press}>
          {t(progress ? 'common.cancel' : 'admin.claims.download')}
        </Button>
      )}
    </span>
  );
}

function rowsOf(groups: readonly ClaimGroup[]): CsvCell[][] {
  const events = useBoard.getState().byKind.event;
  return groups.flatMap(({ name, days }) =>
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
}
