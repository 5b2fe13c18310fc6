import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { changeInBulk } from '../../../api/calls.ts';
import type { BulkAction } from '../table/bulk-bar.tsx';

/** What can be done with several claims. */
export function useClaimDeeds(): BulkAction<ClaimOnRespawn>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'delete',
      label: t('admin.bulk.claims.delete.label'),
      appliesTo: () => true,
      ask: (count) => t('admin.bulk.claims.delete.ask', { count }),
      text: () => <p>{t('admin.bulk.claims.delete.text')}</p>,
      deletesClaims: (claims) => claims.length,
      run: (ids) => changeInBulk('claims', ids, { do: 'delete' }),
      done: (count) => t('admin.bulk.claims.delete.done', { count }),
    },
  ];
}
