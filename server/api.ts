import { accessKeyRoutes } from './access-keys/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { adminRoutes } from './admins/routes.ts';
import { archiveRoutes } from './archive/routes.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { clientErrorRoutes } from './client-errors/routes.ts';
import { destinationRoutes } from './destinations/routes.ts';
import { systemRoutes } from './doctor/routes.ts';
import { endingRoutes } from './endings/routes.ts';
import { firstCalls } from './first-calls.ts';
import { healthRoutes } from './health/routes.ts';
import type { Route } from './http/route.ts';
import { importRoutes } from './imports/routes.ts';
import { nextPeriodRoutes } from './next-period/routes.ts';
import { pushRoutes } from './push/routes.ts';
import { statisticsRoutes } from './statistics/routes.ts';

/** The calls of the dashboard, and of what a member looks at now and then. */
export function laterCalls(): Route[] {
  return [
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

/** Every call of the API. */
export function apiRoutes(): Route[] {
  return [...firstCalls(), ...laterCalls()];
}
