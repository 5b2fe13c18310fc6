import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CsvCell, toCsv } from '../../../../shared/csv.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './pages.module.css';

/** Told how many of how many are here. */
export type OnProgress = (done: number, all: number) => void;

interface DownloadTableProps {
  /** Of the file, before its date. */
  name: string;
  headings: readonly string[];
  /** Reads all of them. @throws ApiError; what the signal is aborted with */
  rows: (signal: AbortSignal, onProgress: OnProgress) => Promise<CsvCell[][]>;
  /** What is said where it fails. */
  failed: (reason: string) => string;
}

/** Saves a list as a table, read page by page; it shows how far it is, and can be stopped. */
export function DownloadTable({ name, headings, rows, failed }: DownloadTableProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const [progress, setProgress] = useState<{ shown: number; total: number } | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const download = async (): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setProgress({ shown: 0, total: 0 });
    try {
      const cells = await rows(abort.signal, (shown, total) => setProgress({ shown, total }));
      saveFile(`${name}-${today}.csv`, toCsv(headings, cells), 'text/csv');
    } catch (error) {
      if (!abort.signal.aborted) showToast({ tone: 'bad', text: failed(errorText(error)) });
    }
    setProgress(null);
  };

  // One and the same button, so that it keeps the focus.
  return (
    <span className={styles.more}>
      {progress ? <span role="status">{t('admin.pages.read', progress)}</span> : null}
      <Button onClick={progress ? () => running.current?.abort() : () => void download()}>
        {t(progress ? 'common.cancel' : 'admin.claims.download')}
      </Button>
    </span>
  );
}
