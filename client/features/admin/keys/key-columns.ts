import type { AccessKey } from '../../../../shared/schemas/access-key.ts';

/** What the columns of the keys are sorted by. */
export const KEY_COLUMNS = {
  character: (key: AccessKey) => key.character_name,
  type: (key: AccessKey) => key.member_type,
  created: (key: AccessKey) => Date.parse(key.created_at),
  created_by: (key: AccessKey) => key.created_by_username ?? '',
  status: (key: AccessKey) => key.is_revoked,
};

export type SortableKeyColumn = keyof typeof KEY_COLUMNS;
