import { configRoutes } from './config/routes.ts';
import type { Route } from './http/route.ts';
import { liveRoutes } from './live/routes.ts';
import { boardRoutes } from './respawns/board-routes.ts';

/**
 * What draws the board, which a whole guild asks for as soon as there is a server. All else (`api.ts`) is loaded right after the
 * start, which takes a quarter less for it, or when somebody asks for it before. What is kept ready is to be among these.
 */
export function firstCalls(): Route[] {
  return [...boardRoutes, ...configRoutes, ...liveRoutes];
}
