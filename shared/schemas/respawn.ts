import { z } from 'zod';
import { claimRow } from './claim.ts';
import { date, flag, id, timestamp } from './fields.ts';

export const respawn = z.object({
  id,
  name: z.string(),
  /** File name of a .gif, or a path below /assets/. */
  image: z.string(),
  image_url: z.string(),
  category_id: id.nullable(),
  category_name: z.string().nullable(),
  is_enabled: flag,
  /** Claims it ever had, in any event; the two parts of a split claim on it count once. */
  total_claims: z.number().int().min(0),
  last_claim_date: date.nullable(),
  created_at: timestamp,
});
export type Respawn = z.infer<typeof respawn>;

export const respawnWithClaims = respawn.extend({ claims: z.array(claimRow) });
export type RespawnWithClaims = z.infer<typeof respawnWithClaims>;
