import type { Feature } from '../../feature.ts';
import { missedOf, readMissed } from './records.ts';
import { noShowUndo } from './restore.ts';
import { missedRoutes } from './routes.ts';

export const missedClaims: Feature = {
  name: 'missed claims',
  routes: missedRoutes,
  readMissed,
  ownRecords: { missed: missedOf },
  undo: [noShowUndo],
};
