import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isActivityAction } from '../../../../shared/activity-actions.ts';
import { toCsv } from '../../../../shared/csv.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { getActivityLog } from '../../../api/calls.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useActionName } from './actions.ts';
import styles from './activity.module.css';
import { type ActivityFilter, queryOf } from './use-activity-view.ts';
import { useDoneBy, useFacts } from './use-facts.ts';

/** Saves every entry that matches, also those that are not loaded here; it shows how far it is, and can be stopped. */
export function DownloadLog({ filter, filtered }: { filter: ActivityFilter; filtered: number }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { date: today } = useServerSaveTime();
  const rowOf = useRow();
  const [progress, setProgress] = useState<{ done: number; all: number } | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const download = async (): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    setProgress({ done: 0, all: filtered });
    try {
      const entries = await allEntries(filter, abort.signal, (done, all) => setProgress({ done, all }));
      const headings = (['timestamp', 'action', 'admin', 'details'] as const).map((column) => t(`admin.activity.columns.${column}`));
      saveFile(`activity-${today}.csv`, toCsv(headings, entries.filter(({ action }) => isActivityAction(action)).map(rowOf)), 'text/csv');
    } catch (error) {
      if (!abort.signal.aborted) showToast({ tone: 'bad', text: t('admin.activity.downloadFailed', { reason: errorText(error) }) });
    }
    setProgress(null);
  };

  // One and the same button, so that it keeps the focus.
  return (
    <span className={styles.progress}>
      {progress ? <span role="status">{t('admin.activity.downloading', progress)}</span> : null}
      <Button disabled={!progress && filtered === 0} onClick={progress ? () => running.current?.abort() : () => void download()}>
        {t(progress ? 'admin.activity.cancelDownload' : 'admin.activity.download')}
      </Button>
    </span>
  );
}

function useRow(): (entry: ActivityEntry) => string[] {
  const actionName = useActionName();
  const { factsOf, textOf } = useFacts();
  const doneBy = useDoneBy();
  return (entry) => [
    entry.timestamp,
    actionName(entry.action),
    doneBy(entry),
    factsOf(entry)
      .map((fact) => textOf(fact))
      .join('; '),
  ];
}

/** The most that the server answers at once. */
const MOST_AT_ONCE = 500;

/**
 * Every entry that matches, the newest first, read page by page.
 * @param onProgress told how many of how many are here
 * @throws ApiError; what the signal is aborted with
 */
async function allEntries(
  filter: ActivityFilter,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<ActivityEntry[]> {
  const entries: ActivityEntry[] = [];
  for (;;) {
    const last = entries.at(-1);
    const page = { limit: MOST_AT_ONCE, page: 1, ...queryOf(filter), ...(last ? { before: last.id } : {}) };
    const { logs, filtered } = await getActivityLog(page, signal);
    signal.throwIfAborted();
    entries.push(...logs);
    onProgress(entries.length, Math.max(filtered, entries.length));
    if (logs.length < MOST_AT_ONCE) return entries;
  }
}
