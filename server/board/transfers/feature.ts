import type { Feature } from '../../feature.ts';
import { endTransfersOfFormerMembers, transfersExpire } from '../end-transfers.ts';
import { forgetTransfers, openTransfersOf, transferRecords } from '../records/transfers.ts';
import { moveUndo } from './reassign.ts';
import { transferRoutes } from './routes.ts';

export const transfers: Feature = {
  name: 'transfers',
  routes: transferRoutes,
  records: { transfer: transferRecords },
  ownRecords: { transfer: ({ db }, character_key) => openTransfersOf(db, character_key) },
  jobs: [forgetTransfers],
  deadlines: [transfersExpire],
  hooks: [endTransfersOfFormerMembers],
  undo: [moveUndo],
};
