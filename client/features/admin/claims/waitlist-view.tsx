import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { useQueryState } from '../../../lib/use-query-state.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import tab from '../tab.module.css';
import { AdminTable, type Column } from '../table/admin-table.tsx';
import { useClaimColumns } from './claim-columns.tsx';
import { EntryConfirmation } from './claim-confirmations.tsx';
import { HeldBadge } from './claim-words.tsx';
import styles from './claims.module.css';
import { EndedEntries } from './ended-entries.tsx';
import { ListSearch, useListedTable } from './listed-table.tsx';

const STATES = ['open', 'ended'] as const;
const VIEW = ['waits'];

/** The waitlists: current entries, and those that have ended: `?view=waitlist&waits=ended`. */
export function WaitlistView(): ReactNode {
  const { t } = useTranslation();
  const [{ waits = '' }, change] = useQueryState(VIEW);
  const state = STATES.find((one) => one === waits) ?? 'open';
  return (
    <>
      <div className={styles.views}>
        <Segmented
          label={t('admin.waitlist.viewLabel')}
          value={state}
          options={STATES.map((value) => ({ value, label: t(`admin.waitlist.${value}`) }))}
          onChange={(next) => change({ waits: next === 'open' ? '' : next })}
        />
      </div>
      {state === 'open' ? <CurrentEntries /> : <EndedEntries />}
    </>
  );
}

const BY_DATE = { id: 'date', desc: false };

interface CurrentEntriesProps {
  /** Only of this character, without a search; by default of all. */
  character?: string;
}

/** The members on waitlists and the hours held for them, live. */
export function CurrentEntries({ character }: CurrentEntriesProps): ReactNode {
  const { t } = useTranslation();
  const waitsOn = useBoard((board) => board.waitsByRespawn);
  const isOn = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.waits_enabled === 1);
  const [ending, setEnding] = useState<Wait | null>(null);
  const list = useRef<HTMLElement>(null);
  const table = useListedTable({
    columns: useEntryColumns(setEnding),
    records: [...waitsOn.values()].flat(),
    character,
    usualSort: BY_DATE,
  });
  const { view, rows } = table;
  return (
    <>
      {character === undefined ? <ListSearch view={view} /> : null}
      <AdminTable
        table={table}
        list={list}
        words={{
          list: t('admin.waitlist.list'),
          count: (count) => t('admin.waitlist.count', { count }),
          empty: {
            title: t('admin.waitlist.empty'),
            text: t(isOn ? 'admin.waitlist.emptyText' : 'admin.waitlist.disabled'),
          },
          noMatch: { title: t('admin.waitlist.noMatch'), action: t('admin.table.clearFilters') },
        }}
        countText={`${t('admin.waitlist.count', { count: rows.length })}${isOn ? '' : ` · ${t('admin.waitlist.disabled')}`}`}
      />
      {ending ? (
        <EntryConfirmation wait={ending} onClose={() => setEnding(null)} focusAfter={list} />
      ) : null}
    </>
  );
}

function useEntryColumns(onEnd: (wait: Wait) => void): Column<Wait>[] {
  const { t } = useTranslation();
  const mayClaims = useMay('claims');
  const { heading, spotOf, ...shared } = useClaimColumns();
  const columns: Column<Wait>[] = [
    shared.character,
    shared.spot,
    // By date, then by spot: a column sorts by one value.
    { ...shared.date, sortBy: (wait) => `${wait.date} ${spotOf(wait)}` },
    { ...shared.hours(({ date }) => date), sortBy: undefined },
    {
      ...heading('position'),
      sortBy: ({ position }) => position,
      cell: ({ position }) => position,
    },
    {
      ...heading('state'),
      cell: (wait) =>
        wait.held_until ? (
          <Held wait={wait} until={wait.held_until} />
        ) : (
          t('admin.waitlist.waiting')
        ),
    },
    {
      ...heading('actions'),
      part: 'actions',
      cell: (wait) => {
        const about = { name: wait.character_name, spot: spotOf(wait) };
        return (
          <Button
            small
            variant="quiet"
            className={tab.destructive}
            onClick={() => onEnd(wait)}
            aria-label={t(
              wait.held_until ? 'admin.waitlist.endHoldName' : 'admin.waitlist.removeName',
              about,
            )}
          >
            {t(wait.held_until ? 'admin.waitlist.endHold' : 'admin.waitlist.remove')}
          </Button>
        );
      },
    },
  ];
  return mayClaims ? columns : columns.filter(({ part }) => part !== 'actions');
}

function Held({ wait, until }: { wait: Wait; until: string }): ReactNode {
  const claim = useBoard((board) =>
    wait.held_claim_id === null ? undefined : board.byKind.claim.get(wait.held_claim_id),
  );
  return (
    <>
      <HeldBadge until={until} />{' '}
      {claim ? <HoursText date={wait.date} start={claim.hour_start} end={claim.hour_end} /> : null}
    </>
  );
}
