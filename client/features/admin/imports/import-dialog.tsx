import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toCsv } from '../../../../shared/csv.ts';
import type { ImportAnswer } from '../../../../shared/schemas/import.ts';
import { MOST_IMPORTED } from '../../../../shared/schemas/import.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { FileInput } from '../../../ui/fields/file-input.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { ImportPreview } from './import-preview.tsx';
import styles from './imports.module.css';
import { type Column, readTable, type TableProblem } from './read-table.ts';

type Row<F extends string> = Partial<Record<F, string>>;

export interface ImportDialogProps<F extends string> {
  title: string;
  /** What the columns are for, a sentence or two. */
  text: string;
  columns: readonly Column<F>[];
  /** Of the file that shows how it is to look. */
  example: { name: string; rows: readonly (readonly string[])[] };
  send: (rows: readonly Row<F>[], preview: boolean) => Promise<ImportAnswer>;
  onClose: () => void;
}

interface Chosen<F extends string> {
  name: string;
  rows: readonly Row<F>[];
  lines: readonly number[];
  ignored: readonly string[];
  preview: ImportAnswer;
}

/** Imports a table in two steps: the file is read and shown with what would become of each line, then it is done. */
export function ImportDialog<F extends string>({ title, text, columns, example, send, onClose }: ImportDialogProps<F>): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState<'reading' | 'importing' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Chosen<F> | null>(null);
  const sayProblem = (what: TableProblem, column = ''): string => t(`admin.import.problem.${what}`, { column, count: MOST_IMPORTED });

  const read = async (file: File): Promise<void> => {
    setBusy('reading');
    setProblem(null);
    setChosen(null);
    try {
      const table = await readTable(file, columns);
      if ('problem' in table) setProblem(sayProblem(table.problem, table.column));
      else setChosen({ name: file.name, ...table, preview: await send(table.rows, true) });
    } catch (error) {
      setProblem(errorText(error));
    }
    setBusy(null);
  };

  const carryOut = async ({ rows }: Chosen<F>): Promise<void> => {
    setBusy('importing');
    setProblem(null);
    try {
      const { rows: done } = await send(rows, false);
      const count = (outcome: string): number => done.filter((row) => row.outcome === outcome).length;
      showToast({ text: t('admin.import.done', { added: count('new'), changed: count('changed') }) });
      onClose();
    } catch (error) {
      setProblem(errorText(error));
      setBusy(null);
    }
  };

  const counts = chosen ? chosen.preview.rows.filter(({ outcome }) => outcome === 'new' || outcome === 'changed').length : 0;
  const headings = columns.map(({ field, headings: [heading] }) => heading ?? field);
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      busy={busy === 'importing'}
      title={title}
      description={text}
      actions={
        <>
          <Button disabled={busy === 'importing'} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            variant="primary"
            busy={busy === 'importing'}
            disabled={!chosen || counts === 0}
            onClick={() => chosen && void carryOut(chosen)}
          >
            {chosen && counts > 0 ? t('admin.import.carryOut', { count: counts }) : t('admin.import.import')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p className={styles.columns}>
          {t('admin.import.columns', { columns: headings.join(', ') })}{' '}
          <button type="button" className={styles.link} onClick={() => saveFile(example.name, toCsv(headings, example.rows), 'text/csv')}>
            {t('admin.import.example')}
          </button>
        </p>
        <FileInput
          label={t('admin.import.file')}
          text={chosen?.name ?? t('admin.import.choose')}
          accept=".csv,.tsv,.txt,text/csv"
          disabled={busy !== null}
          onFile={(file) => void read(file)}
        />
        {problem ? <Alert tone="bad">{problem}</Alert> : null}
        {busy === 'reading' ? (
          <Loading>
            <Skeleton height={120} />
          </Loading>
        ) : null}
        {chosen ? <ImportPreview {...chosen.preview} ignored={chosen.ignored} lines={chosen.lines} /> : null}
      </div>
    </Dialog>
  );
}
