import { categoryRoutes } from './categories/routes.ts';
import { characterRoutes } from './characters/routes.ts';
import { claimRoutes } from './claims/routes.ts';
import { configRoutes } from './config/routes.ts';
import { eventRoutes } from './events/routes.ts';
import type { Route } from './http/route.ts';
import { liveRoutes } from './live/routes.ts';
import { memberTypeRoutes } from './member-types/routes.ts';
import { respawnRoutes } from './respawns/routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { waitRoutes } from './waits/routes.ts';

/**
 * What is asked for as soon as there is a server: a page that draws the board, a member who verifies, signs in and claims. All
 * else (`api.ts`) is loaded after the start, which takes a sixth less for it. What is kept ready is to be among these.
 */
export function firstCalls(): Route[] {
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
    ...liveRoutes,
  ];
}
