import { accessKeyRoutes } from './access-keys/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { archiveRoutes } from './archive/routes.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { categoryRoutes } from './categories/routes.ts';
import { characterRoutes } from './characters/routes.ts';
import { claimRoutes } from './claims/routes.ts';
import { clientErrorRoutes } from './client-errors/routes.ts';
import { configRoutes } from './config/routes.ts';
import { destinationRoutes } from './destinations/routes.ts';
import { endingRoutes } from './endings/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { healthRoutes } from './health/routes.ts';
import type { Route } from './http/route.ts';
import { liveRoutes } from './live/routes.ts';
import { memberTypeRoutes } from './member-types/routes.ts';
import { pushRoutes } from './push/routes.ts';
import { respawnRoutes } from './respawns/routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { statisticsRoutes } from './statistics/routes.ts';
import { waitRoutes } from './waits/routes.ts';

/** Every call of the API, in the order of section 7 of the specification. */
export function apiRoutes(): Route[] {
  return [
    ...respawnRoutes,
    ...eventRoutes,
    ...configRoutes,
    ...categoryRoutes,
    ...memberTypeRoutes,
    ...sessionRoutes,
    ...characterRoutes,
    ...claimRoutes,
    ...waitRoutes,
    ...endingRoutes,
    ...calendarRoutes,
    ...statisticsRoutes,
    ...accessKeyRoutes,
    ...activityRoutes,
    ...archiveRoutes,
    ...destinationRoutes,
    ...pushRoutes,
    ...healthRoutes,
    ...liveRoutes,
    ...clientErrorRoutes,
  ];
}
