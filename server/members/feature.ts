import type { Feature } from '../feature.ts';
import { accessKeyRecords, verifiedCodeRecords } from './records.ts';
import { memberUndo } from './restore.ts';
import { accessKeyRoutes, characterRoutes, type MembersContext } from './routes.ts';
import { forgetCodes } from './verification/codes.ts';

export const members: Feature<MembersContext> = {
  name: 'members',
  routes: [...characterRoutes, ...accessKeyRoutes],
  records: { access_key: accessKeyRecords, verified_code: verifiedCodeRecords },
  jobs: [forgetCodes],
  undo: [memberUndo],
};
