import type { Feature } from '../../feature.ts';
import { type Checking, checkups } from './checkups.ts';
import { doctorRoutes } from './routes.ts';

export const doctor: Feature<Checking> = {
  name: 'doctor',
  routes: doctorRoutes,
  stop: (ctx) => checkups(ctx).stop(),
};
