import { type ReactNode, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../../shared/kinds.ts';
import type { Wait } from '../../../../../shared/schemas/wait.ts';
import { useQueryState } from '../../../../lib/use-query-state.ts';
import { holds, searchable, wordsOf } from '../../../../lib/words/search.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { Button } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { SearchInput } from '../../../../ui/fields/inputs.tsx';
import { Segmented } from '../../../../ui/fields/segmented.tsx';
import { Panel } from '../../../../ui/panel.tsx';
import tab from '../../tab.module.css';
import styles from '../claims.module.css';
import { EndedWaits } from './ended-waits.tsx';
import { LineConfirmation } from './line-confirmation.tsx';
import { LineTable } from './line-table.tsx';

const STATES = ['open', 'ended'] as const;
const VIEW = ['waits'];

/** Waits: those who stand in line, and what became of those who left it: `?view=line&waits=ended`. */
export function LineView(): ReactNode {
  const { t } = useTranslation();
  const [{ waits = '' }, change] = useQueryState(VIEW);
  const state = STATES.find((one) => one === waits) ?? 'open';
  return (
    <>
      <div className={styles.views}>
        <Segmented
          label={t('admin.line.views')}
          value={state}
          options={STATES.map((value) => ({ value, label: t(`admin.line.${value}`) }))}
          onChange={(next) => change({ waits: next === 'open' ? '' : next })}
        />
      </div>
      {state === 'open' ? <OpenWaits /> : <EndedWaits />}
    </>
  );
}

const PARAMETERS = ['search'];

/** Who stands in line for which hours, and what is held for whom, live. */
function OpenWaits(): ReactNode {
  const { t } = useTranslation();
  const [{ search = '' }, change] = useQueryState(PARAMETERS);
  const waitsOn = useBoard((board) => board.waitsByRespawn);
  const respawns = useBoard((board) => board.byKind.respawn);
  const isOn = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.waits_enabled === 1);
  const [doomed, setDoomed] = useState<Wait | null>(null);
  const list = useRef<HTMLElement>(null);
  const all = useMemo(() => [...waitsOn.values()].flat(), [waitsOn]);
  const shown = useMemo(() => {
    const words = wordsOf(search);
    return all.filter((wait) => holds(searchable(`${wait.character_name} ${respawns.get(wait.respawn_id)?.name ?? ''}`), words));
  }, [all, respawns, search]);
  return (
    <>
      <Panel>
        <div className={styles.filters}>
          <SearchInput label={t('admin.claims.search')} value={search} onChange={(event) => change({ search: event.target.value })} />
        </div>
      </Panel>
      <section ref={list} tabIndex={-1} aria-label={t('admin.line.list')} className={tab.list}>
        {all.length === 0 ? <EmptyState title={t('admin.line.empty')} text={t(isOn ? 'admin.line.emptyText' : 'admin.line.off')} /> : null}
        {all.length > 0 && shown.length === 0 ? (
          <EmptyState
            title={t('admin.line.noMatch')}
            action={<Button onClick={() => change({ search: '' })}>{t('admin.claims.clearFilters')}</Button>}
          />
        ) : null}
        {shown.length > 0 ? (
          <>
            <p role="status" className={tab.count}>
              {t('admin.line.count', { count: shown.length })}
              {isOn ? null : ` · ${t('admin.line.off')}`}
            </p>
            <Panel flush>
              <LineTable waits={shown} onDeed={setDoomed} />
            </Panel>
          </>
        ) : null}
      </section>
      {doomed ? <LineConfirmation wait={doomed} onClose={() => setDoomed(null)} focusAfter={list} /> : null}
    </>
  );
}
