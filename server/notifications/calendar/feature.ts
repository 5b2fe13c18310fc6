import { DomainError } from '../../../shared/errors.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import type { Feature } from '../../feature.ts';
import { calendarRoutes, serveCalendars } from './routes.ts';

export const calendar: Feature<Writing> = {
  name: 'calendar',
  routes: calendarRoutes,
  mountDownloads: (router, ctx) => {
    router.get('/calendar/:token.ics', serveCalendars(ctx));
    router.use('/calendar', () => {
      throw new DomainError('request.notFound');
    });
  },
};
