import type { Feature } from '../../feature.ts';
import { sendBy } from '../notices/send.ts';
import type { Sending } from '../outbound/post.ts';
import { pushMedium } from './medium.ts';
import { pushRoutes } from './routes.ts';

export const push: Feature<Sending> = {
  name: 'push',
  routes: pushRoutes,
  jobs: [sendBy(pushMedium)],
  media: [pushMedium],
};
