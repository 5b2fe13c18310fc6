import type { Feature } from '../../feature.ts';
import { editUndo } from '../claims/edit-undo.ts';
import { eventRecords } from '../records/guild.ts';
import { withdrawOffers } from '../waitlist/entries.ts';
import { claimUndo } from './restore.ts';
import { eventRoutes } from './routes.ts';

/** Events, and the undo of claims: it withdraws offers of the waitlist, which `claims` does not know. */
export const events: Feature = {
  name: 'events',
  routes: eventRoutes,
  records: { event: eventRecords },
  undo: [editUndo(withdrawOffers)],
  undoClaims: claimUndo,
};
