import type { Feature } from '../../feature.ts';
import { configRecords } from '../records/guild.ts';
import { correctBoardDate, dayTurn, moveBoardDay } from './day.ts';
import { configRoutes } from './routes.ts';

export const configuration: Feature = {
  name: 'configuration',
  routes: configRoutes,
  records: { config: configRecords },
  jobs: [dayTurn],
  hooks: [moveBoardDay],
  everyMinute: correctBoardDate,
};
