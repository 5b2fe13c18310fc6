import { statistics, statisticsQuery } from '../../../shared/schemas/statistics.ts';
import { type Route, route } from '../../http/route.ts';

export const statisticsRoutes: Route[] = [
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
