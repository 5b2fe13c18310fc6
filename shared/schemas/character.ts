import { z } from 'zod';
import { flag, id, timestamp } from './fields.ts';

/** A character's verification record, as the admins see it. */
export const verifiedCode = z.object({
  id,
  character_name: z.string(),
  code: z.string().nullable(),
  access_key: z.string().nullable(),
  access_member_type: z.string().nullable(),
  member_type: z.string(),
  created_at: timestamp,
  verified_at: timestamp.nullable(),
  access_revoked: flag,
  banned: flag,
});
export type VerifiedCode = z.infer<typeof verifiedCode>;
