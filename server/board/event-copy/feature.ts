import type { Feature } from '../../feature.ts';
import { eventCopyRoutes } from './routes.ts';

export const eventCopies: Feature = {
  name: 'event copies',
  routes: eventCopyRoutes,
};
