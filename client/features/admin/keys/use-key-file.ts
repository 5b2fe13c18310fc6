import { useTranslation } from 'react-i18next';
import type { CsvCell } from '../../../../shared/csv.ts';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';

/** How keys stand in a file: its headings, and a key's row. */
export function useKeyFile(): { headings: readonly string[]; rowOf: (key: AccessKey) => CsvCell[] } {
  const { t } = useTranslation();
  return {
    headings: (['character', 'type', 'key', 'created', 'created_by', 'status'] as const).map((id) => t(`admin.keys.columns.${id}`)),
    rowOf: (key) => [
      key.character_name,
      key.member_type,
      key.key_value,
      key.created_at,
      key.created_by_username ?? t('admin.keys.byVerification'),
      key.is_revoked ? t('admin.keys.revoked') : t('admin.keys.active'),
    ],
  };
}
