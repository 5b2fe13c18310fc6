import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toCsv } from '../../../../shared/csv.ts';
import { isErrorCode } from '../../../../shared/error-codes.ts';
import type { Json } from '../../../../shared/errors.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import {
  type ImportAnswer,
  type ImportedRow,
  type ImportOutcome,
  MAX_IMPORT_ROWS,
} from '../../../../shared/schemas/import.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { FileInput } from '../../../ui/fields/file-input.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { AffectedWeeklyClaims } from '../forms/affected-weekly-claims.tsx';
import { useOfferUndoOf } from '../forms/undo.ts';
import { type ImportColumn, withAllHeadings } from './import-columns.ts';
import styles from './imports.module.css';
import { readTable, type TableProblem } from './read-table.ts';

type Row<F extends string> = Partial<Record<F, string>>;

export interface ImportDialogProps<F extends string> {
  title: string;
  /** The meaning of the columns. */
  text: string;
  columns: readonly ImportColumn<F>[];
  /** A file that shows the expected columns. */
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

/** Imports a table in two steps: a preview of what each line of the file would change, then the import. */
export function ImportDialog<F extends string>({
  title,
  text,
  columns,
  example,
  send,
  onClose,
}: ImportDialogProps<F>): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndoOf();
  const [problem, setProblem] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Chosen<F> | null>(null);
  const problemText = (what: TableProblem, column = ''): string =>
    t(`admin.import.problem.${what}`, { column, count: MAX_IMPORT_ROWS });

  const importing = useAction({
    work: ({ rows }: Chosen<F>) => send(rows, false),
    done: ({ rows, activity_id }) => {
      const count = (outcome: string): number =>
        rows.filter((row) => row.outcome === outcome).length;
      offerUndo(
        t('admin.import.done', { added: count('new'), changed: count('changed') }),
        activity_id,
      );
      onClose();
    },
  });
  const reading = useAction({
    work: async (file: File) => {
      importing.forget();
      setProblem(null);
      setChosen(null);
      const table = await readTable(file, await withAllHeadings(columns, t));
      if ('problem' in table) setProblem(problemText(table.problem, table.column));
      else setChosen({ name: file.name, ...table, preview: await send(table.rows, true) });
    },
  });
  const failure = reading.failure ?? importing.failure;

  const counts = chosen
    ? chosen.preview.rows.filter(({ outcome }) => outcome === 'new' || outcome === 'changed').length
    : 0;
  const headings = columns.map(({ heading }) => heading(t));
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      busy={importing.isBusy}
      title={title}
      description={text}
    >
      <Stack>
        <p className="muted small anywhere">
          {t('admin.import.columns', { columns: headings.join(', ') })}{' '}
          <button
            type="button"
            className={styles.link}
            onClick={() => saveFile(example.name, toCsv(headings, example.rows), 'text/csv')}
          >
            {t('admin.import.example')}
          </button>
        </p>
        <FileInput
          label={t('admin.import.file')}
          text={chosen?.name ?? t('admin.import.choose')}
          accept=".csv,.tsv,.txt,text/csv"
          disabled={reading.isBusy || importing.isBusy}
          onFile={reading.run}
        />
        {problem || failure ? <Alert tone="bad">{problem ?? errorText(failure)}</Alert> : null}
        {reading.isBusy ? (
          <Loading>
            <Skeleton height={120} />
          </Loading>
        ) : null}
        {chosen ? (
          <ImportPreview {...chosen.preview} ignored={chosen.ignored} lines={chosen.lines} />
        ) : null}
      </Stack>
      <DialogActions onCancel={onClose} busy={importing.isBusy} isChanged={chosen !== null}>
        <Button
          variant="primary"
          busy={importing.isBusy}
          disabled={!chosen || counts === 0}
          onClick={() => chosen && importing.run(chosen)}
        >
          {chosen && counts > 0
            ? t('admin.import.submit', { count: counts })
            : t('admin.import.import')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Rows with errors first. Unchanged rows are only counted. */
const LISTED_OUTCOMES: readonly ImportOutcome[] = ['wrong', 'changed', 'new'];
const COUNTED: readonly ImportOutcome[] = ['new', 'changed', 'same', 'wrong'];
const TONES: { [O in ImportOutcome]: BadgeTone } = {
  wrong: 'bad',
  changed: 'accent',
  new: 'good',
  same: 'plain',
};
/** Further lines are only counted. */
const MAX_LINES = 200;

interface ImportPreviewProps extends Pick<ImportAnswer, 'rows' | 'new_categories'> {
  /** Headings of the file that the import does not use. */
  ignored: readonly string[];
  /** The line of each row in the file. */
  lines: readonly number[];
}

function ImportPreview({ rows, new_categories, ignored, lines }: ImportPreviewProps): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const disabledNames = new Set(
    rows.flatMap(({ name, changed }) => (changed.is_enabled?.to === 0 ? [nameKey(name)] : [])),
  );
  const disabled = [...respawns.values()].flatMap(({ id, name }) =>
    disabledNames.has(nameKey(name)) ? [id] : [],
  );
  const lineOf = (at: number): number => lines[at] ?? at + 2;
  const numbered = rows.map((row, at) => ({ row: inFile(row, lineOf), line: lineOf(at) }));
  const count = (outcome: ImportOutcome): number =>
    rows.filter((row) => row.outcome === outcome).length;
  const listed = LISTED_OUTCOMES.flatMap((outcome) =>
    numbered.filter(({ row }) => row.outcome === outcome),
  );
  return (
    <Stack aria-label={t('admin.import.preview')} gap={2} as="section">
      <Cluster role="status" as="p">
        {COUNTED.map((outcome) => (
          <Badge key={outcome} tone={count(outcome) > 0 ? TONES[outcome] : 'plain'}>
            {t(`admin.import.outcome.${outcome}`, { count: count(outcome) })}
          </Badge>
        ))}
      </Cluster>
      <AffectedWeeklyClaims how="stop" spots={disabled} />
      {new_categories.length > 0 ? (
        <p className="muted small anywhere">
          {t('admin.import.newCategories', {
            count: new_categories.length,
            list: new_categories.join(', '),
          })}
        </p>
      ) : null}
      {ignored.length > 0 ? (
        <p className="muted small anywhere">
          {t('admin.import.ignored', { list: ignored.join(', ') })}
        </p>
      ) : null}
      {listed.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section className={styles.scroll} tabIndex={0} aria-label={t('admin.import.rows')}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t('admin.import.row')}</th>
                <th scope="col">{t('admin.import.name')}</th>
                <th scope="col">{t('admin.import.change')}</th>
              </tr>
            </thead>
            <tbody>
              {listed.slice(0, MAX_LINES).map(({ row, line }) => (
                <tr key={line}>
                  <td className="muted tabular">{line}</td>
                  <td>{row.name || t('admin.import.noName')}</td>
                  <td>
                    <What row={row} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
      {listed.length > MAX_LINES ? (
        <p className="muted small anywhere">
          {t('admin.import.more', { count: listed.length - MAX_LINES })}
        </p>
      ) : null}
    </Stack>
  );
}

/** The server counts rows of the request; people count lines of the file. */
function inFile(row: ImportedRow, lineOf: (at: number) => number): ImportedRow {
  const { row: nth } = row.params;
  return typeof nth === 'number'
    ? { ...row, params: { ...row.params, row: lineOf(nth - 1) } }
    : row;
}

function What({ row: { outcome, code, params, changed } }: { row: ImportedRow }): ReactNode {
  const { t } = useTranslation();
  const wordsOf = (value: Json): string => {
    if (value === null || value === '') return t('admin.activity.none');
    if (value === 0 || value === 1) return t(value ? 'admin.activity.yes' : 'admin.activity.no');
    return String(value);
  };
  if (outcome === 'wrong') {
    return (
      <span className="bad">
        {code !== null && isErrorCode(code) ? t(`errors.${code}`, { replace: params }) : code}
      </span>
    );
  }
  if (outcome === 'new') return t('admin.import.isCreated');
  return Object.entries(changed).map(([field, { from, to }]) => (
    <span key={field} className={styles.change}>
      {t(`admin.import.fields.${field}`, { defaultValue: field })}:{' '}
      {t('admin.activity.change', { from: wordsOf(from), to: wordsOf(to) })}
    </span>
  ));
}
