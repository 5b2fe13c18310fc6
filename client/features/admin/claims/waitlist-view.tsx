import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { useQueryState } from '../../../lib/use-query-state.ts';
import { holds, searchable } from '../../../lib/words/search.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { Panel } from '../../../ui/panel.tsx';
import tab from '../tab.module.css';
import { AdminTable, type Column, useAdminTable } from '../table/admin-table.tsx';
import type { TableSearch } from '../table/table-view.ts';
import { useClaimColumns } from './claim-columns.tsx';
import { EntryConfirmation } from './claim-confirmations.tsx';
import { HeldBadge } from './claim-words.tsx';
import styles from './claims.module.css';
import { EndedEntries } from './ended-entries.tsx';

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
  const respawns = useBoard((board) => board.byKind.respawn);
  const isOn = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.waits_enabled === 1);
  const [ending, setEnding] = useState<Wait | null>(null);
  const list = useRef<HTMLElement>(null);
  const all = useMemo(() => {
    const entries = [...waitsOn.values()].flat();
    return character === undefined
      ? entries
      : entries.filter((one) => nameKey(one.character_name) === nameKey(character));
  }, [waitsOn, character]);
  const search: TableSearch<Wait> = {
    matches: (wait, words) =>
      holds(
        searchable(`${wait.character_name} ${respawns.get(wait.respawn_id)?.name ?? ''}`),
        words,
      ),
    mayKeep: () => true,
  };
  const columns = useEntryColumns(setEnding);
  const table = useAdminTable({
    columns: character === undefined ? columns : columns.filter(({ id }) => id !== 'character'),
    records: all,
    search,
    usualSort: BY_DATE,
  });
  const { view, rows } = table;
  return (
    <>
      {character === undefined ? (
        <Panel>
          <div className={styles.filters}>
            <SearchInput
              label={t('admin.claims.search')}
              value={view.search}
              onChange={(event) => view.setSearch(event.target.value)}
            />
          </div>
        </Panel>
      ) : null}
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

/** The hours that are held, and for how long. */
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
