import { z } from 'zod';
import { flag, id, name, timestamp } from './fields.ts';
import { DEFAULT_MEMBER_TYPE, memberTypeName } from './member-type.ts';

export const accessKey = z.object({
  id,
  character_name: z.string(),
  key_value: z.string(),
  /** null: earned by verification. */
  created_by_username: z.string().nullable(),
  member_type: z.string(),
  created_at: timestamp,
  is_revoked: flag,
  /** The Discord user who is linked to the character; null: none. */
  discord_user_id: z.string().nullable(),
  discord_name: z.string().nullable(),
});
export type AccessKey = z.infer<typeof accessKey>;

export const accessKeyInput = z.object({
  characterName: name('character.nameRequired'),
  memberType: memberTypeName.min(1).default(DEFAULT_MEMBER_TYPE),
});
export type AccessKeyInput = z.infer<typeof accessKeyInput>;

export const accessKeyTypeInput = z.object({ memberType: memberTypeName.min(1) });
export type AccessKeyTypeInput = z.infer<typeof accessKeyTypeInput>;
