import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_CLAIMS_TO_UNDO } from '../../../../shared/schemas/activity.ts';
import { DEFAULT_CATEGORY_ID } from '../../../../shared/schemas/category.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { changeInBulk } from '../../../api/calls.ts';
import { Field } from '../../../ui/fields/field.tsx';
import type { BulkAction } from '../table/bulk-bar.tsx';
import { CategorySelect } from './category-select.tsx';

const claimsOf = (respawns: readonly Respawn[]): number => respawns.reduce((sum, { total_claims }) => sum + total_claims, 0);

/** What can be done with several respawns, the destructive last. */
export function useRespawnDeeds(): BulkAction<Respawn>[] {
  const { t } = useTranslation();
  const [category_id, setCategory] = useState<number | null>(DEFAULT_CATEGORY_ID);
  const saying = (id: 'enable' | 'move' | 'disable' | 'delete') => ({
    id,
    label: t(`admin.bulk.respawns.${id}.label`),
    ask: (count: number) => t(`admin.bulk.respawns.${id}.ask`, { count }),
    done: (count: number) => t(`admin.bulk.respawns.${id}.done`, { count }),
  });
  return [
    {
      ...saying('enable'),
      harmless: true,
      appliesTo: ({ is_enabled }) => !is_enabled,
      text: () => <p>{t('admin.bulk.respawns.enable.text')}</p>,
      run: (ids) => changeInBulk('respawns', ids, { do: 'enable' }),
    },
    {
      ...saying('move'),
      harmless: true,
      appliesTo: () => true,
      text: () => (
        <>
          <p>{t('admin.bulk.respawns.move.text')}</p>
          <Field label={t('admin.respawns.fields.category_id')}>
            <CategorySelect value={category_id} onChange={setCategory} />
          </Field>
        </>
      ),
      run: (ids) => changeInBulk('respawns', ids, { do: 'move', category_id }),
    },
    {
      ...saying('disable'),
      appliesTo: ({ is_enabled }) => is_enabled === 1,
      text: () => <p>{t('admin.bulk.respawns.disable.text')}</p>,
      run: (ids) => changeInBulk('respawns', ids, { do: 'disable' }),
    },
    {
      ...saying('delete'),
      appliesTo: () => true,
      text: (respawns) => <p>{t('admin.bulk.respawns.delete.claims', { count: claimsOf(respawns) })}</p>,
      deletesClaims: claimsOf,
      isFinal: (respawns) => claimsOf(respawns) > MAX_CLAIMS_TO_UNDO,
      run: (ids) => changeInBulk('respawns', ids, { do: 'delete' }),
    },
  ];
}
