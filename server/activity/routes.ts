import { activityPage, activityQuery } from '../../shared/schemas/activity.ts';
import { type Route, route } from '../http/route.ts';
import { activityLog } from './queries.ts';

export const activityRoutes: Route[] = [
  route(
    {
      method: 'get',
      path: '/admin/activity-log',
      access: 'admin',
      summary: 'Who did what, newest first',
      query: activityQuery,
      answer: activityPage,
    },
    ({ ctx, query }) => activityLog(ctx, query),
  ),
];
