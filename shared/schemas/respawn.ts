import { z } from 'zod';
import { claimRow } from './claim.ts';
import { date, flag, flagInput, id, name, timestamp } from './fields.ts';
import { occupiedHours } from './occupancy.ts';

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

export const respawnWithClaims = respawn.extend({
  claims: z.array(claimRow),
  occupied: z
    .array(occupiedHours)
    .exactOptional()
    .describe(
      "Hours on the active event's dates that claims of other events occupy; left out where there are none",
    ),
});
export type RespawnWithClaims = z.infer<typeof respawnWithClaims>;

/** Size of a spot's picture, in bytes. */
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024;

/** The text fields of a multipart form; the picture is its file `image`. Without a category it is the default one. */
export const respawnInput = z.object({
  name: name('respawn.nameRequired'),
  category_id: z.coerce.number().pipe(id).optional(),
});
export type RespawnInput = z.infer<typeof respawnInput>;

/** null: uncategorised. */
export const respawnCategory = z.object({ category_id: id.nullable() });

/** Only the fields it carries are changed. */
export const respawnChange = z.object({
  name: name('respawn.nameRequired').optional(),
  is_enabled: flagInput.optional(),
  category_id: respawnCategory.shape.category_id
    .optional()
    .describe('null removes it from its category'),
});
export type RespawnChange = z.input<typeof respawnChange>;

export const respawnImage = respawn.pick({ image: true, image_url: true });
export type RespawnImage = z.infer<typeof respawnImage>;
