import type { Feature } from '../../feature.ts';
import { claimRecords, claimsOffBoard, occupancyRecords } from './board-view.ts';
import { noShowDeadlines } from './confirm.ts';
import { forgetAnswers } from './idempotency.ts';
import { claimRoutes } from './routes.ts';

export const claims: Feature = {
  name: 'claims',
  routes: claimRoutes,
  records: { claim: claimRecords, occupancy: occupancyRecords },
  ownRecords: { claims: (ctx, character_key) => claimsOffBoard(ctx, ctx.db, character_key) },
  jobs: [forgetAnswers],
  deadlines: [noShowDeadlines],
};
