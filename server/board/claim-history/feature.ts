import type { Feature } from '../../feature.ts';
import { endingRoutes } from './routes.ts';

export const claimHistory: Feature = {
  name: 'claim history',
  routes: endingRoutes,
};
