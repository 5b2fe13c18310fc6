import { statistics, statisticsQuery } from '../../../shared/schemas/statistics.ts';
import { routeFor } from '../../http/router.ts';
import type { ReadStatistics } from './statistics.ts';

const route = routeFor<{ readStatistics: ReadStatistics }>();

export const statisticsRoutes = [
  route(
    {
      method: 'get',
      path: '/statistics',
      access: 'reader',
      summary: 'Who had how many hours, which spots are wanted and who did not come: of an event, or on some dates',
      query: statisticsQuery,
      answer: statistics,
    },
    ({ ctx, query }) => ctx.readStatistics(query),
  ),
];
