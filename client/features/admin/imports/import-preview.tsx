import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isErrorCode, type Json } from '../../../../shared/errors.ts';
import type { ImportAnswer, ImportedRow, ImportOutcome } from '../../../../shared/schemas/import.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import styles from './imports.module.css';

/** What wants to be looked at comes first; what stays as it is is only counted. */
const SHOWN: readonly ImportOutcome[] = ['wrong', 'changed', 'new'];
const COUNTED: readonly ImportOutcome[] = ['new', 'changed', 'same', 'wrong'];
const TONES: { [O in ImportOutcome]: BadgeTone } = { wrong: 'bad', changed: 'accent', new: 'good', same: 'plain' };
/** More lines than these nobody reads through; how many more there are, it says. */
const MOST_SHOWN = 200;

interface ImportPreviewProps extends Pick<ImportAnswer, 'rows' | 'new_categories'> {
  /** Headings of the file that nobody asked for. */
  ignored: readonly string[];
  /** Where each row stands in the file. */
  lines: readonly number[];
}

/** What an import would do, line by line. */
export function ImportPreview({ rows, new_categories, ignored, lines }: ImportPreviewProps): ReactNode {
  const { t } = useTranslation();
  const lineOf = (at: number): number => lines[at] ?? at + 2;
  const numbered = rows.map((row, at) => ({ row: inFile(row, lineOf), line: lineOf(at) }));
  const count = (outcome: ImportOutcome): number => rows.filter((row) => row.outcome === outcome).length;
  const shown = SHOWN.flatMap((outcome) => numbered.filter(({ row }) => row.outcome === outcome));
  return (
    <section aria-label={t('admin.import.preview')} className={styles.preview}>
      <p role="status" className={styles.counts}>
        {COUNTED.map((outcome) => (
          <Badge key={outcome} tone={count(outcome) > 0 ? TONES[outcome] : 'plain'}>
            {t(`admin.import.outcome.${outcome}`, { count: count(outcome) })}
          </Badge>
        ))}
      </p>
      {new_categories.length > 0 ? (
        <p className={styles.note}>{t('admin.import.newCategories', { count: new_categories.length, list: new_categories.join(', ') })}</p>
      ) : null}
      {ignored.length > 0 ? <p className={styles.note}>{t('admin.import.ignored', { list: ignored.join(', ') })}</p> : null}
      {shown.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <section className={styles.scroll} tabIndex={0} aria-label={t('admin.import.lines')}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{t('admin.import.line')}</th>
                <th scope="col">{t('admin.import.name')}</th>
                <th scope="col">{t('admin.import.what')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, MOST_SHOWN).map(({ row, line }) => (
                <tr key={line}>
                  <td className={styles.number}>{line}</td>
                  <td>{row.name || t('admin.import.nameless')}</td>
                  <td>
                    <What row={row} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : null}
      {shown.length > MOST_SHOWN ? <p className={styles.note}>{t('admin.import.more', { count: shown.length - MOST_SHOWN })}</p> : null}
    </section>
  );
}

/** The server counts the rows that it was sent. */
function inFile(row: ImportedRow, lineOf: (at: number) => number): ImportedRow {
  const { row: nth } = row.params;
  return typeof nth === 'number' ? { ...row, params: { ...row.params, row: lineOf(nth - 1) } } : row;
}

function What({ row: { outcome, code, params, changed } }: { row: ImportedRow }): ReactNode {
  const { t } = useTranslation();
  const wordsOf = (value: Json): string => {
    if (value === null || value === '') return t('admin.activity.none');
    if (value === 0 || value === 1) return t(value ? 'admin.activity.yes' : 'admin.activity.no');
    return String(value);
  };
  if (outcome === 'wrong') {
    return <span className={styles.wrong}>{code !== null && isErrorCode(code) ? t(`errors.${code}`, { replace: params }) : code}</span>;
  }
  if (outcome === 'new') return t('admin.import.isNew');
  return Object.entries(changed).map(([field, { from, to }]) => (
    <span key={field} className={styles.change}>
      {t(`admin.import.fields.${field}`, { defaultValue: field })}: {t('admin.activity.change', { from: wordsOf(from), to: wordsOf(to) })}
    </span>
  ));
}
