import type { Feature } from '../../feature.ts';
import type { CopyContext } from './event-copy.ts';
import { nextPeriodRoutes } from './routes.ts';
import { eventTemplateRecords } from './templates.ts';

export const eventCopies: Feature<CopyContext> = {
  name: 'event copies',
  routes: nextPeriodRoutes,
  records: { event_template: eventTemplateRecords },
};
