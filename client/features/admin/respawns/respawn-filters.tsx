import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import styles from './respawns.module.css';
import type { RespawnView } from './use-respawn-view.ts';

const ALL = 'all';

export function RespawnFilters({ view }: { view: RespawnView }): ReactNode {
  const { t } = useTranslation();
  const categories = useBoard((board) => board.byKind.category);
  const known = inNameOrder(categories.values(), ({ name }) => name);
  return (
    <div className={styles.filters}>
      <SearchInput
        label={t('admin.respawns.search')}
        value={view.search}
        onChange={(event) => view.change({ search: event.target.value })}
      />
      <Select
        wide={false}
        label={t('admin.respawns.filterCategory')}
        value={String(view.category ?? ALL)}
        options={[
          { value: ALL, label: t('admin.respawns.allCategories') },
          ...known.map(({ id, name }) => ({ value: String(id), label: name })),
          { value: 'none', label: t('admin.respawns.noCategory') },
        ]}
        onChange={(chosen) => view.change({ category: chosen === ALL ? null : chosen === 'none' ? 'none' : Number(chosen) })}
      />
      <Select
        wide={false}
        label={t('admin.respawns.filterEnabled')}
        value={view.enabled === null ? ALL : view.enabled ? 'on' : 'off'}
        options={[
          { value: ALL, label: t('admin.respawns.both') },
          { value: 'on', label: t('admin.respawns.onlyEnabled') },
          { value: 'off', label: t('admin.respawns.onlyDisabled') },
        ]}
        onChange={(chosen) => view.change({ enabled: chosen === ALL ? null : chosen === 'on' })}
      />
    </div>
  );
}
