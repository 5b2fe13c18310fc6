import type { Outbox } from '../../db/write.ts';
import { destinationsHear } from '../channels/hear.ts';
import { membersHear } from '../push/hear.ts';
import { createOutbox } from './outbox.ts';

/** All who hear news. */
export const outboxOf = (): Outbox => createOutbox([destinationsHear, membersHear]);
