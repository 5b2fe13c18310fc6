import { type ReactNode, useDeferredValue, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/may.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useSelection } from '../../../ui/selection/selection.tsx';
import { BulkBar } from '../bulk/bulk-bar.tsx';
import tab from '../tab.module.css';
import { CharacterConfirmation, type CharacterDeed } from './character-confirmation.tsx';
import { CharacterFilters } from './character-filters.tsx';
import { CharactersTable } from './characters-table.tsx';
import { useCharacterDeeds } from './use-character-deeds.tsx';
import { matchingCharacters, useCharacterView, verifiedFirst } from './use-character-view.ts';
import { VerifyByHand } from './verify-by-hand.tsx';

/** All verification records, live: find them, verify by hand, take access away and give it back. */
export function CharactersTab(): ReactNode {
  const { t } = useTranslation();
  const table = useBoard((board) => board.byKind.verified_code);
  const view = useCharacterView();
  const search = useDeferredValue(view.search);
  const [deed, setDeed] = useState<CharacterDeed | null>(null);
  const list = useRef<HTMLElement>(null);
  const mayChange = useMay('guild');
  const selection = useSelection((id) => table.get(Number(id)) !== undefined);
  const deeds = useCharacterDeeds();
  const matching = matchingCharacters(table.values(), { search, status: view.status });
  const records = view.sort === null ? verifiedFirst(matching) : matching;
  return (
    <div className={tab.tab}>
      <Panel>
        <div className={tab.tools}>
          <VerifyByHand />
          <CharacterFilters view={view} />
        </div>
      </Panel>
      <section ref={list} tabIndex={-1} aria-label={t('admin.characters.list')} className={tab.list}>
        {table.size === 0 ? <EmptyState title={t('admin.characters.empty.title')} text={t('admin.characters.empty.text')} /> : null}
        {table.size > 0 && records.length === 0 ? (
          <EmptyState
            title={t('admin.characters.noMatch.title')}
            text={t('admin.characters.noMatch.text')}
            action={<Button onClick={view.clear}>{t('admin.characters.noMatch.action')}</Button>}
          />
        ) : null}
        {records.length > 0 ? (
          <>
            <p role="status" className={tab.count}>
              {records.length === table.size
                ? t('admin.characters.count', { count: table.size })
                : t('admin.characters.shown', { shown: records.length, records: t('admin.characters.count', { count: table.size }) })}
            </p>
            <Panel flush>
              <CharactersTable
                records={records}
                sort={view.sort}
                onSort={view.setSort}
                onDeed={setDeed}
                selection={mayChange ? selection : null}
              />
            </Panel>
          </>
        ) : null}
        {mayChange ? (
          <BulkBar
            selection={selection}
            order={records.map(({ id }) => String(id))}
            records={[...table.values()].filter(({ id }) => selection.ids.has(String(id)))}
            nameOf={({ character_name }) => character_name}
            deeds={deeds}
            list={list}
          />
        ) : null}
      </section>
      {deed ? <CharacterConfirmation deed={deed} onClose={() => setDeed(null)} list={list} /> : null}
    </div>
  );
}
