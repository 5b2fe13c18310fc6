import type { Feature } from '../../feature.ts';
import { forgetOutcomes, forgetRules } from './end-rules.ts';
import { followKeysAndSpots, makeStandingClaims } from './make-job.ts';
import { standingUndo } from './restore.ts';
import { standingRoutes } from './routes.ts';
import { standingOf, standingRecords } from './rules-store.ts';

export const weeklyClaims: Feature = {
  name: 'weekly claims',
  routes: standingRoutes,
  records: { standing_claim: standingRecords },
  ownRecords: { standing_claim: ({ db }, character_key) => standingOf(db, character_key) },
  jobs: [makeStandingClaims, forgetRules, forgetOutcomes],
  hooks: [followKeysAndSpots],
  undo: [standingUndo],
};
