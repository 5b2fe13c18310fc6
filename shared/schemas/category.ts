import { z } from 'zod';
import { id } from './fields.ts';

export const category = z.object({ id, name: z.string() });
export type Category = z.infer<typeof category>;

/** The category that cannot be deleted. */
export const DEFAULT_CATEGORY_ID = 1;
