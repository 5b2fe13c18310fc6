import type { z } from 'zod';
import { event } from './event.ts';
import { timestamp } from './fields.ts';

/** An event that was over for long; nothing changes it any more. */
export const archivedEvent = event.omit({ is_active: true }).extend({ archived_at: timestamp });
export type ArchivedEvent = z.infer<typeof archivedEvent>;
