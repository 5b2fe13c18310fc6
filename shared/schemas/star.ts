import { z } from 'zod';
import { MAX_STARS } from '../rules/stars.ts';
import { id } from './fields.ts';
import { MAX_SECRET_LENGTH } from './session.ts';

/** The caller's access key where none is in a header. */
export const starActor = z.object({ access_key: z.string().max(MAX_SECRET_LENGTH).nullish() });

/** Spots to star, in this order. */
export const starsInput = starActor.extend({ respawn_ids: z.array(id).min(1).max(MAX_STARS) });

/** A character's stars at one clock of the board: within an epoch, the list with the larger clock is the newer one. */
export const characterStars = z.object({
  epoch: z.string().describe('Names the history that the clock counts'),
  clock: z
    .number()
    .int()
    .min(0)
    .describe('Within an epoch, the answer with the larger clock is newer'),
  ids: z.array(id).max(MAX_STARS).describe('Ids of respawns, oldest star first'),
});
export type CharacterStars = z.infer<typeof characterStars>;
