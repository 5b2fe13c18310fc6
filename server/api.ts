import { accessKeyRoutes } from './access-keys/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { adminRoutes } from './admins/routes.ts';
import { archiveRoutes } from './archive/routes.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { categoryRoutes } from './categories/routes.ts';
import { characterRoutes } from './characters/routes.ts';
import { claimRoutes } from './claims/routes.ts';
import { clientErrorRoutes } from './client-errors/routes.ts';
import { configRoutes } from './config/routes.ts';
import { destinationRoutes } from './destinations/routes.ts';
import { systemRoutes } from './doctor/routes.ts';
import { endingRoutes } from './endings/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { healthRoutes } from './health/routes.ts';
import type { Route } from './http/route.ts';
import { importRoutes } from './imports/routes.ts';
import { liveRoutes } from './live/routes.ts';
import { memberTypeRoutes } from './member-types/routes.ts';
import { nextPeriodRoutes } from './next-period/routes.ts';
import { pushRoutes } from './push/routes.ts';
import { boardRoutes } from './respawns/board-routes.ts';
import { respawnRoutes } from './respawns/routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { statisticsRoutes } from './statistics/routes.ts';
import { waitRoutes } from './waits/routes.ts';

/** All routes of the API. The board's come first: Express tries them in this order, and every open page asks for them all the time. */
export function apiRoutes(): Route[] {
  return [
    ...boardRoutes,
    ...configRoutes,
    ...liveRoutes,
    ...respawnRoutes,
    ...eventRoutes,
    ...categoryRoutes,
    ...memberTypeRoutes,
    ...sessionRoutes,
    ...characterRoutes,
    ...claimRoutes,
    ...waitRoutes,
    ...adminRoutes,
    ...endingRoutes,
    ...calendarRoutes,
    ...statisticsRoutes,
    ...accessKeyRoutes,
    ...activityRoutes,
    ...archiveRoutes,
    ...nextPeriodRoutes,
    ...importRoutes,
    ...destinationRoutes,
    ...pushRoutes,
    ...healthRoutes,
    ...systemRoutes,
    ...clientErrorRoutes,
  ];
}
