import type { Router } from 'express';
import type { Context } from './context.ts';
import type { Feature } from './feature.ts';
import { features } from './features.ts';
import type { Route } from './http/router.ts';
import { recordSourcesOf } from './live/record-kinds.ts';
import { liveRoutes } from './live/routes.ts';

/** All routes of features under /api. */
export const routesOf = (
  some: readonly Pick<Feature<Context>, 'name' | 'routes' | 'records'>[],
): readonly Route<Context>[] => [
  ...liveRoutes(recordSourcesOf(some)),
  ...some.flatMap(({ routes = [] }) => routes),
];

/** The routes of the whole server. */
export const routes = routesOf(features);

/** Mounts what features serve outside /api. */
export function mountDownloads(router: Router, ctx: Context): void {
  for (const { mountDownloads: mount } of ctx.features) mount?.(router, ctx);
}
