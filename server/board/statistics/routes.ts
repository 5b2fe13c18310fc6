import { statistics, statisticsQuery } from '../../../shared/schemas/statistics.ts';
import type { Reading } from '../../db/database.ts';
import { routeFor } from '../../http/router.ts';
import { readStatistics } from './statistics.ts';

const statisticsRoute = routeFor<Reading>();

export const statisticsRoutes = [
  statisticsRoute(
    {
      method: 'get',
      path: '/statistics',
      access: 'reader',
      summary:
        'Read statistics of an event or a range of dates: hours, most wanted spots, no-shows',
      query: statisticsQuery,
      answer: statistics,
    },
    ({ ctx, query }) => readStatistics(ctx)(query),
  ),
];
