import type { Feature } from '../../feature.ts';
import { memberTypeRecords } from '../records/members.ts';
import { memberTypeUndo } from './member-types.ts';
import { memberTypeRoutes } from './routes.ts';

export const memberTypes: Feature = {
  name: 'member types',
  routes: memberTypeRoutes,
  records: { member_type: memberTypeRecords },
  undo: [memberTypeUndo],
};
