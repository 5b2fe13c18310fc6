import type { Feature } from '../../feature.ts';
import { nextPeriodRoutes } from './routes.ts';
import { eventTemplateRecords } from './templates.ts';

export const eventCopies: Feature = {
  name: 'event copies',
  routes: nextPeriodRoutes,
  records: { event_template: eventTemplateRecords },
};
