import type { Feature } from '../../feature.ts';
import { type CheckupContext, checkups } from './checkups.ts';
import { doctorRoutes } from './routes.ts';

export const doctor: Feature<CheckupContext> = {
  name: 'doctor',
  routes: doctorRoutes,
  stop: (ctx) => checkups(ctx).stop(),
};
