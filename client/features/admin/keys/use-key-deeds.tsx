import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../../shared/schemas/member-type.ts';
import { changeInBulk } from '../../../api/calls.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Field } from '../../../ui/fields/field.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import type { BulkAction } from '../table/bulk-bar.tsx';

/** What can be done with several keys, the destructive last. */
export function useKeyDeeds(): BulkAction<AccessKey>[] {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const [member_type, setMemberType] = useState(DEFAULT_MEMBER_TYPE);
  const saying = (id: 'enable' | 'move' | 'revoke' | 'delete') => ({
    id,
    label: t(`admin.bulk.keys.${id}.label`),
    ask: (count: number) => t(`admin.bulk.keys.${id}.ask`, { count }),
    done: (count: number) => t(`admin.bulk.keys.${id}.done`, { count }),
  });
  const isActive = (key: AccessKey): boolean => !key.is_revoked;
  return [
    {
      ...saying('enable'),
      harmless: true,
      appliesTo: (key) => !isActive(key),
      text: () => <p>{t('admin.bulk.keys.enable.text')}</p>,
      run: (ids) => changeInBulk('access-keys', ids, { do: 'enable' }),
    },
    {
      ...saying('move'),
      harmless: true,
      appliesTo: isActive,
      text: () => (
        <>
          <p>{t('admin.bulk.keys.move.text')}</p>
          <Field label={t('admin.keys.memberType')}>
            <MemberTypeSelect types={types} value={member_type} onChange={setMemberType} />
          </Field>
        </>
      ),
      run: (ids) => changeInBulk('access-keys', ids, { do: 'move', member_type }),
    },
    {
      ...saying('revoke'),
      appliesTo: isActive,
      text: () => <p>{t('admin.bulk.keys.revoke.text')}</p>,
      run: (ids) => changeInBulk('access-keys', ids, { do: 'revoke' }),
    },
    {
      ...saying('delete'),
      appliesTo: () => true,
      text: () => <p>{t('admin.bulk.keys.delete.text')}</p>,
      run: (ids) => changeInBulk('access-keys', ids, { do: 'delete' }),
    },
  ];
}
