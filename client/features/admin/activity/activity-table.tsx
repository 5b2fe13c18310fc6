import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Capability } from '../../../../shared/rules/roles.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { formatterIn, useTimeZone } from '../../../lib/time-zone.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';
import { useMay } from '../../../state/may.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import type { DataColumn } from '../../../ui/table/data-table-props.ts';
import { toneOf, useActionName } from './actions.ts';
import styles from './activity.module.css';
import { EntryDetails } from './entry-details.tsx';
import { neededToUndo } from './restorable.ts';
import { useDoneBy, useFacts } from './use-facts.ts';

interface ActivityTableProps {
  entries: readonly ActivityEntry[];
  onRestore: (entry: ActivityEntry) => void;
}

const MINUTE = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
const EXACT = { dateStyle: 'full', timeStyle: 'long' } as const;

export function ActivityTable({ entries, onRestore }: ActivityTableProps): ReactNode {
  const { t, i18n } = useTranslation();
  const facts = useFacts();
  const doneBy = useDoneBy();
  const actionName = useActionName();
  // Kept here: a row that is scrolled away is not there.
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const mayUndo: Partial<Record<Capability, boolean>> = { claims: useMay('claims'), guild: useMay('guild') };
  const toggle = (id: number): void =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const locale = formatLocale(i18n.language);
  const here = useTimeZone();
  const minute = formatterIn(here, locale, MINUTE);
  const exact = formatterIn(here, locale, EXACT);
  const heading = (id: ActivityColumn): { id: ActivityColumn; heading: string } => ({ id, heading: t(`admin.activity.columns.${id}`) });

  const columns: DataColumn<ActivityEntry>[] = [
    {
      ...heading('timestamp'),
      cell: ({ timestamp }) => {
        const at = new Date(timestamp);
        return (
          <time dateTime={timestamp} title={exact.format(at)} className={styles.timestamp}>
            {minute.format(at)}
          </time>
        );
      },
    },
    {
      ...heading('action'),
      part: 'title',
      cell: ({ action }) => <Badge tone={toneOf(action)}>{actionName(action)}</Badge>,
    },
    { ...heading('admin'), cell: (entry) => <span className={styles.by}>{doneBy(entry)}</span> },
    {
      ...heading('details'),
      part: 'text',
      cell: (entry) => <EntryDetails entry={entry} facts={facts} open={open.has(entry.id)} onToggle={() => toggle(entry.id)} />,
    },
    {
      ...heading('undo'),
      part: 'actions',
      cell: (entry) => {
        if (entry.undo === null) return null;
        if (entry.undo === 'done') return <span className={styles.restored}>{t('admin.activity.restored')}</span>;
        if (entry.undo === 'expired') return <span className={styles.restored}>{t('admin.activity.expired')}</span>;
        if (!mayUndo[neededToUndo(entry.action)]) return null;
        const what = [actionName(entry.action), ...facts.factsOf(entry).map(facts.textOf)].join(', ');
        return (
          <Button small onClick={() => onRestore(entry)} aria-label={t('admin.activity.restoreName', { what })}>
            {t('admin.activity.restore')}
          </Button>
        );
      },
    },
  ];
  return (
    <DataTable
      caption={t('admin.activity.list')}
      columns={columns}
      records={entries}
      idOf={idOf}
      sort={null}
      onSort={keepOrder}
      sortLabel={t('admin.activity.sort')}
    />
  );
}

type ActivityColumn = 'timestamp' | 'action' | 'admin' | 'details' | 'undo';

const idOf = (entry: ActivityEntry): string => String(entry.id);
/** The log has one order: no column sorts. */
const keepOrder = (): void => {};
