import { z } from 'zod';
import { date, flag, id, name, timestamp } from './fields.ts';
import { DEFAULT_MEMBER_TYPE, memberTypeName } from './member-type.ts';

/** Why the server revoked a key, from the game's data. */
export const revokedBecause = z.enum(['traded', 'deleted', 'left']);
export type RevokedBecause = z.infer<typeof revokedBecause>;

export const accessKey = z.object({
  id,
  character_name: z.string(),
  key_value: z.string(),
  /** null: earned by verification. */
  created_by_username: z.string().nullable(),
  member_type: z.string(),
  created_at: timestamp,
  is_revoked: flag,
  /** null: it is not revoked, or an admin revoked it. */
  revoked_because: revokedBecause.nullable(),
  /** The Discord user who is linked to the character; null: none. */
  discord_user_id: z.string().nullable(),
  discord_name: z.string().nullable(),
});
export type AccessKey = z.infer<typeof accessKey>;

/** When a key's character has claimed last. */
export const lastClaim = z.object({
  /** The key's. */
  id,
  /** A server-save date, maybe one ahead; null: it never has. */
  last_claim_date: date.nullable(),
});
export type LastClaim = z.infer<typeof lastClaim>;

export const accessKeyInput = z.object({
  characterName: name('character.nameRequired'),
  memberType: memberTypeName.min(1).default(DEFAULT_MEMBER_TYPE),
});
export type AccessKeyInput = z.infer<typeof accessKeyInput>;

export const accessKeyTypeInput = z.object({ memberType: memberTypeName.min(1) });
export type AccessKeyTypeInput = z.infer<typeof accessKeyTypeInput>;
