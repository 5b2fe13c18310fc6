import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { CHARACTER_STATUSES, type CharacterStatus } from './character-status.ts';
import styles from './characters.module.css';
import type { CharacterView } from './use-character-view.ts';

const ALL = 'all';

/** The search, the status, and the two orders that are asked for most. */
export function CharacterFilters({ view }: { view: CharacterView }): ReactNode {
  const { t } = useTranslation();
  const options: { value: CharacterStatus | typeof ALL; label: string }[] = [
    { value: ALL, label: t('admin.characters.allStatuses') },
    ...CHARACTER_STATUSES.map((status) => ({ value: status, label: t(`admin.characters.statuses.${status}`) })),
  ];
  return (
    <div className={styles.filters}>
      <SearchInput label={t('admin.characters.search')} value={view.search} onChange={(event) => view.setSearch(event.target.value)} />
      <Select
        label={t('admin.characters.columns.status')}
        wide={false}
        value={view.status ?? ALL}
        options={options}
        onChange={(status) => view.setStatus(status === ALL ? null : status)}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend that is seen */}
      <div role="group" aria-label={t('admin.characters.sort')} className={styles.orders}>
        <Button aria-pressed={view.sort === null} className={styles.order} onClick={view.showVerifiedFirst}>
          {t('admin.characters.verifiedFirst')}
        </Button>
        <Button aria-pressed={view.recentFirst} className={styles.order} onClick={view.showRecentFirst}>
          {t('admin.characters.recentFirst')}
        </Button>
      </div>
    </div>
  );
}
