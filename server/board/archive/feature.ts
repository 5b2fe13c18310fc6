import type { Feature } from '../../feature.ts';
import { archiveOld } from './move.ts';
import { archiveRoutes } from './routes.ts';

export const archive: Feature = {
  name: 'archive',
  routes: archiveRoutes,
  jobs: [archiveOld],
};
