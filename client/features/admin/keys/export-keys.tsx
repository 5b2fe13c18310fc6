import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toCsv } from '../../../../shared/csv.ts';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { saveFile } from '../../../lib/save-file.ts';
import type { Sort } from '../../../lib/use-query-state.ts';
import { sortRecords } from '../../../lib/words/order.ts';
import { Button } from '../../../ui/button.tsx';
import { DownloadIcon } from '../../../ui/icons.tsx';
import { useKeyFile } from './use-key-file.ts';
import { KEY_COLUMNS } from './use-key-view.ts';

/** Saves the keys that are shown, as they are sorted, for a spreadsheet. */
export function ExportKeys({ keys, sort }: { keys: readonly AccessKey[]; sort: Sort }): ReactNode {
  const { t } = useTranslation();
  const { headings, rowOf } = useKeyFile();
  const save = (): void => {
    const sortBy = Object.entries(KEY_COLUMNS).find(([id]) => id === sort.id)?.[1] ?? KEY_COLUMNS.created;
    const rows = sortRecords(keys, sortBy, sort.desc).map(rowOf);
    saveFile(t('admin.keys.fileName', { date: new Date().toISOString().slice(0, 10) }), toCsv(headings, rows), 'text/csv');
  };
  return (
    <Button small variant="quiet" onClick={save}>
      <DownloadIcon />
      {t('admin.keys.export')}
    </Button>
  );
}
