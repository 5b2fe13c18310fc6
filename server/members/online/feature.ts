import type { Feature } from '../../feature.ts';
import { readOnline, readOnlineSoon } from './read-online.ts';
import { onlineRoutes } from './routes.ts';

export const onlineInGame: Feature = {
  name: 'online in the game',
  routes: onlineRoutes,
  jobs: [readOnline],
  everyMinute: readOnlineSoon,
};
