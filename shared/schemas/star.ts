import { z } from 'zod';
import { MAX_STARS } from '../rules/stars.ts';
import { id } from './fields.ts';
import { MAX_SECRET_LENGTH } from './session.ts';

/** Who acts, where no key is in a header. */
export const starActor = z.object({ access_key: z.string().max(MAX_SECRET_LENGTH).nullish() });

/** Spots to star, in this order. */
export const starsInput = starActor.extend({ respawn_ids: z.array(id).min(1).max(MAX_STARS) });

/** The ids of a character's starred spots, oldest star first. */
export const stars = z.array(id).max(MAX_STARS);
