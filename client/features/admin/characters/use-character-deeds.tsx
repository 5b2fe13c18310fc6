import { useTranslation } from 'react-i18next';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import { changeInBulk } from '../../../api/calls.ts';
import type { BulkDeedOf } from '../bulk/bulk-bar.tsx';

type Doing = 'enable' | 'revoke' | 'unban' | 'ban' | 'delete';

/** Those of the selected that each changes. What shows a ban is not deleted: where it is the last record, that would be refused. */
const CONCERNS: { readonly [D in Doing]: (record: VerifiedCode) => boolean } = {
  enable: ({ access_key, access_revoked }) => access_key !== null && access_revoked === 1,
  revoke: ({ access_key, access_revoked }) => access_key !== null && access_revoked === 0,
  unban: ({ banned }) => banned === 1,
  ban: ({ banned }) => banned === 0,
  delete: ({ banned }) => banned === 0,
};
const DOINGS: readonly Doing[] = ['enable', 'unban', 'revoke', 'ban', 'delete'];

/** What can be done with several verification records and their characters, the destructive last. */
export function useCharacterDeeds(): BulkDeedOf<VerifiedCode>[] {
  const { t } = useTranslation();
  return DOINGS.map((id) => ({
    id,
    label: t(`admin.bulk.characters.${id}.label`),
    harmless: id === 'enable' || id === 'unban',
    concerns: CONCERNS[id],
    ask: (count) => t(`admin.bulk.characters.${id}.ask`, { count }),
    text: () => <p>{t(`admin.bulk.characters.${id}.text`)}</p>,
    carryOut: (ids) => changeInBulk('verified-codes', ids, { do: id }),
    done: (count) => t(`admin.bulk.characters.${id}.done`, { count }),
  }));
}
