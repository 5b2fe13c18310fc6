import { destinationsHear } from '../channels/hear.ts';
import { membersHear } from '../push/hear.ts';
import { createOutbox, type Outbox } from './outbox.ts';

/** All who hear news. */
export const outboxOf = (): Outbox => createOutbox([destinationsHear, membersHear]);
