import type { Feature } from '../../feature.ts';
import { forgetOutcomes, forgetStandingClaims } from './end-standing.ts';
import { followKeysAndSpots, makeStandingClaims } from './make-job.ts';
import { standingOf, standingRecords } from './records.ts';
import { standingUndo } from './restore.ts';
import { standingRoutes } from './routes.ts';

export const standingClaims: Feature = {
  name: 'standing claims',
  routes: standingRoutes,
  records: { standing_claim: standingRecords },
  ownRecords: { standing_claim: ({ db }, character_key) => standingOf(db, character_key) },
  jobs: [makeStandingClaims, forgetStandingClaims, forgetOutcomes],
  hooks: [followKeysAndSpots],
  undo: [standingUndo],
};
