import { activityRecords, storeActivity } from './log.ts';
import { forgetEntries, forgetUndos } from './retention.ts';
import { activityRoutes } from './routes.ts';

export const activity = {
  name: 'activity',
  routes: activityRoutes,
  records: { activity: activityRecords },
  jobs: [forgetEntries, forgetUndos],
  hooks: [storeActivity],
};
