import { type ReactNode, useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useSelection } from '../../../ui/selection/selection.tsx';
import tab from '../tab.module.css';
import { BulkBar } from '../table/bulk-bar.tsx';
import { CreateRespawn } from './create-respawn.tsx';
import { RespawnConfirmation } from './respawn-confirmation.tsx';
import { RespawnFilters } from './respawn-filters.tsx';
import styles from './respawns.module.css';
import { RespawnsTable } from './respawns-table.tsx';
import { useRespawnDeeds } from './use-respawn-deeds.tsx';
import { useRespawnEdit } from './use-respawn-edit.ts';
import { matchingRespawns, useRespawnView } from './use-respawn-view.ts';

/** All respawns, live, the disabled ones too: make, find, change and delete them. */
export function RespawnsTab(): ReactNode {
  const { t } = useTranslation();
  const mayGuild = useMay('guild');
  const table = useBoard((board) => board.byKind.respawn);
  const view = useRespawnView();
  const search = useDeferredValue(view.search);
  const edit = useRespawnEdit();
  const [deleting, setDeleting] = useState<Respawn | null>(null);
  const list = useRef<HTMLElement>(null);
  const selection = useSelection((id) => table.get(Number(id)) !== undefined);
  const deeds = useRespawnDeeds();
  const { category, enabled, sort } = view;
  const respawns = matchingRespawns(table.values(), { search, category, enabled, keep: edit.opened });
  return (
    <div className={tab.tab}>
      {mayGuild ? (
        <Panel title={t('admin.respawns.newRespawn')}>
          <CreateRespawn />
        </Panel>
      ) : null}
      <section ref={list} tabIndex={-1} aria-label={t('admin.respawns.list')} className={tab.list}>
        {table.size > 0 ? (
          <div className={styles.bar}>
            <RespawnFilters view={view} />
            <p role="status" className={tab.count}>
              {respawns.length === table.size
                ? t('admin.respawns.count', { count: table.size })
                : t('admin.respawns.shown', { shown: respawns.length, respawns: t('admin.respawns.count', { count: table.size }) })}
            </p>
          </div>
        ) : (
          <EmptyState title={t('admin.respawns.empty.title')} text={mayGuild ? t('admin.respawns.empty.text') : null} />
        )}
        {table.size > 0 && respawns.length === 0 ? (
          <EmptyState
            title={t('admin.respawns.noMatch.title')}
            text={t('admin.respawns.noMatch.text')}
            action={<Button onClick={view.clear}>{t('admin.respawns.noMatch.action')}</Button>}
          />
        ) : null}
        {respawns.length > 0 ? (
          <Panel flush>
            <RespawnsTable
              respawns={respawns}
              sort={sort}
              onSort={view.setSort}
              edit={edit}
              onDelete={setDeleting}
              selection={mayGuild ? selection : null}
            />
          </Panel>
        ) : null}
        {mayGuild ? (
          <BulkBar
            selection={selection}
            order={respawns.map(({ id }) => String(id))}
            records={[...table.values()].filter(({ id }) => selection.ids.has(String(id)))}
            nameOf={({ name }) => name}
            actions={deeds}
            list={list}
          />
        ) : null}
      </section>
      {deleting ? <RespawnConfirmation respawn={deleting} onClose={() => setDeleting(null)} focusAfterDelete={list} /> : null}
    </div>
  );
}
