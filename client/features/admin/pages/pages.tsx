import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CsvCell, toCsv } from '../../../../shared/csv.ts';
import { MAX_PAGE, type PageQuery } from '../../../../shared/schemas/fields.ts';
import type { ServerPage, ServerPages } from '../../../api/query.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { FailedLoad } from '../../../ui/alert.tsx';
import { BlockedButton, Button } from '../../../ui/button.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from '../tab.module.css';

/** Below the loaded part of a list: that it is loading, what failed, or how much more there is. */
export function PageEnd({
  pages,
  failed,
}: {
  pages: ServerPages<{ id: number }>;
  failed: string;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { status, error, count, total, hasMore, load } = pages;
  if (status === 'failed') {
    return (
      <FailedLoad sentence={failed} reason={errorText(error)} onTryAgain={() => void load()} />
    );
  }
  if (status === 'loading' && count === 0) {
    return (
      <Loading className={styles.placeholders}>
        {[1, 2, 3].map((row) => (
          <Skeleton key={row} height={36} />
        ))}
      </Loading>
    );
  }
  if (!hasMore) return null;
  return (
    <Cluster justify="space-between" className={styles.more}>
      <span>{t('admin.pages.shown', { shown: count, total })}</span>
      <Button small busy={status === 'loading'} onClick={() => void load()}>
        {t('admin.pages.more')}
      </Button>
    </Cluster>
  );
}

interface Reload {
  /** A read is under way, which may have missed the change. */
  isReading: boolean;
  reload: () => Promise<unknown>;
}

/** Reads a list again when this number changes, such as the id of the log's last entry about it; after a read that is under way. */
export function useReloadOn(change: number, { isReading, reload }: Reload): void {
  const reloadNow = useEffectEvent(() => void reload());
  const lastRead = useRef(change);
  useEffect(() => {
    if (isReading || lastRead.current === change) return;
    lastRead.current = change;
    reloadNow();
  }, [change, isReading]);
}

interface Progress {
  done: number;
  all: number;
}
export type OnProgress = (progress: Progress) => void;

/**
 * Reads a whole list, newest first, page by page.
 * @throws ApiError; the signal's reason once it is aborted
 */
export async function readAllPages<T extends { id: number }>(
  read: (page: PageQuery) => Promise<ServerPage<T>>,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<T[]> {
  const all: T[] = [];
  for (let known = 0; ; ) {
    const last = all.at(-1);
    const page = await read({ limit: MAX_PAGE, ...(last && { before: last.id }) });
    signal.throwIfAborted();
    all.push(...page.records);
    known = Math.max(known, page.total ?? 0, all.length);
    onProgress({ done: all.length, all: known });
    if (page.records.length < MAX_PAGE) return all;
  }
}

interface DownloadButtonProps {
  /** The file's name before its date. */
  name: string;
  headings: readonly string[];
  /** At once where every row is loaded, else page by page. @throws ApiError; the signal's reason once it is aborted */
  rows: (signal: AbortSignal, onProgress: OnProgress) => CsvCell[][] | Promise<CsvCell[][]>;
  /** Progress to show until the first page arrives. */
  start?: Progress;
  progressText?: (progress: Progress) => string;
  failed: (reason: string) => string;
  disabled?: boolean;
  /** Why nothing can be downloaded now; the keyboard still reaches the button. */
  blockedBecause?: string | null;
}

/** Saves a list as a CSV file. While it reads further pages it shows the progress, and a second press cancels. */
export function DownloadButton({
  name,
  headings,
  rows,
  start = { done: 0, all: 0 },
  progressText,
  failed,
  disabled = false,
  blockedBecause = null,
}: DownloadButtonProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const save = (cells: CsvCell[][]): void =>
    saveFile(`${name}-${today}.csv`, toCsv(headings, cells), 'text/csv');
  const readAndSave = async (
    reading: Promise<CsvCell[][]>,
    { signal }: AbortController,
  ): Promise<void> => {
    setProgress(start);
    try {
      save(await reading);
    } catch (error) {
      if (!signal.aborted) showToast({ tone: 'bad', text: failed(errorText(error)) });
    }
    setProgress(null);
  };
  const download = (): void => {
    const abort = new AbortController();
    const cells = rows(abort.signal, setProgress);
    if (Array.isArray(cells)) save(cells);
    else {
      running.current = abort;
      void readAndSave(cells, abort);
    }
  };

  // The same button in both states, so that it keeps the focus.
  return (
    <Cluster as="span" gap={3} className={styles.download}>
      {progress ? (
        <span role="status">
          {progressText?.(progress) ??
            t('admin.pages.read', { shown: progress.done, total: progress.all })}
        </span>
      ) : null}
      {blockedBecause && !progress ? (
        <BlockedButton reason={blockedBecause}>{t('admin.claims.download')}</BlockedButton>
      ) : (
        <Button
          disabled={disabled && !progress}
          onClick={progress ? () => running.current?.abort() : download}
        >
          {t(progress ? 'common.cancel' : 'admin.claims.download')}
        </Button>
      )}
    </Cluster>
  );
}
