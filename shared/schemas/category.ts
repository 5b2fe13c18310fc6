import { z } from 'zod';
import { id, name } from './fields.ts';

export const category = z.object({ id, name: z.string() });
export type Category = z.infer<typeof category>;

export const categoryInput = z.object({ name: name('category.nameRequired') });
export type CategoryInput = z.infer<typeof categoryInput>;

/** The category that cannot be deleted. */
export const DEFAULT_CATEGORY_ID = 1;
