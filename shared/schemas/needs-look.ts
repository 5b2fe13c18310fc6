import { z } from 'zod';
import { revokedBecause } from './access-key.ts';
import { id, timestamp } from './fields.ts';

/** Why an admin should look at a character. */
export const needKind = z.enum([...revokedBecause.options, 'renamed', 'rank']);
export type NeedKind = z.infer<typeof needKind>;

export const needsLook = z.object({
  /** The key's. */
  id,
  character_name: z.string(),
  kind: needKind,
  /** Of `left` the guild that it is in now, of `renamed` the new name, of `rank` the rank; null: none. */
  fact: z.string().nullable(),
  /** Of `rank`: the member type that the rank stands for. */
  new_type: z.string().nullable(),
  /** When the game's data were read. */
  read_at: timestamp,
});
export type NeedsLook = z.infer<typeof needsLook>;

export const keepInput = z.object({ kind: needKind });
