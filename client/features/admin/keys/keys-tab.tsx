import { type ReactNode, useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Checkbox, SearchInput } from '../../../ui/fields/inputs.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useSelection } from '../../../ui/selection/selection.tsx';
import tab from '../tab.module.css';
import { BulkBar } from '../table/bulk-bar.tsx';
import { CreateKey } from './create-key.tsx';
import { ExportKeys } from './export-keys.tsx';
import { KeyConfirmation, type KeyDeed } from './key-confirmation.tsx';
import styles from './keys.module.css';
import { KeysTable } from './keys-table.tsx';
import { useKeyDeeds } from './use-key-deeds.tsx';
import { matchingKeys, useKeyView } from './use-key-view.ts';
import { useTypeEdit } from './use-type-edit.ts';

/** All access keys, live: make, find, retype, revoke, enable and delete them. */
export function KeysTab(): ReactNode {
  const { t } = useTranslation();
  const table = useBoard((board) => board.byKind.access_key);
  const mayChange = useMay('guild');
  const view = useKeyView();
  const search = useDeferredValue(view.search);
  const edit = useTypeEdit();
  const [deed, setDeed] = useState<KeyDeed | null>(null);
  const list = useRef<HTMLElement>(null);
  const selection = useSelection((id) => table.get(Number(id)) !== undefined);
  const deeds = useKeyDeeds();
  const keys = matchingKeys(table.values(), { search, onlyActive: view.onlyActive, keep: edit.state?.id ?? null });
  return (
    <div className={tab.tab}>
      <Panel>
        <div className={tab.tools}>
          <CreateKey />
          <div className={styles.filters}>
            <SearchInput label={t('admin.keys.search')} value={view.search} onChange={(event) => view.setSearch(event.target.value)} />
            <Checkbox
              label={t('admin.keys.onlyActive')}
              checked={view.onlyActive}
              onChange={(event) => view.setOnlyActive(event.target.checked)}
            />
          </div>
        </div>
      </Panel>
      <section ref={list} tabIndex={-1} aria-label={t('admin.keys.list')} className={tab.list}>
        {table.size === 0 ? <EmptyState title={t('admin.keys.empty.title')} text={t('admin.keys.empty.text')} /> : null}
        {table.size > 0 && keys.length === 0 ? (
          <EmptyState
            title={t('admin.keys.noMatch.title')}
            text={t('admin.keys.noMatch.text')}
            action={<Button onClick={view.clear}>{t('admin.keys.noMatch.action')}</Button>}
          />
        ) : null}
        {keys.length > 0 ? (
          <>
            <div className={styles.bar}>
              <ExportKeys keys={keys} sort={view.sort} />
              <p role="status" className={tab.count}>
                {keys.length === table.size
                  ? t('admin.keys.count', { count: table.size })
                  : t('admin.keys.shown', { shown: keys.length, keys: t('admin.keys.count', { count: table.size }) })}
              </p>
            </div>
            <Panel flush>
              <KeysTable
                keys={keys}
                sort={view.sort}
                onSort={view.setSort}
                edit={edit}
                onDeed={setDeed}
                selection={mayChange ? selection : null}
              />
            </Panel>
          </>
        ) : null}
        {mayChange ? (
          <BulkBar
            selection={selection}
            order={keys.map(({ id }) => String(id))}
            records={[...table.values()].filter(({ id }) => selection.ids.has(String(id)))}
            nameOf={({ character_name }) => character_name}
            actions={deeds}
            list={list}
          />
        ) : null}
      </section>
      {deed ? <KeyConfirmation deed={deed} onClose={() => setDeed(null)} focusAfterDelete={list} /> : null}
    </div>
  );
}
