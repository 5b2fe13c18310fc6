import type { Feature } from '../../feature.ts';
import { starRoutes } from './routes.ts';
import {
  deleteStarsOfTraded,
  forgetStars,
  noteUnusedStars,
  type StarContext,
  starsOf,
} from './stars.ts';

export const stars: Feature<StarContext> = {
  name: 'stars',
  routes: starRoutes,
  ownRecords: { stars: ({ db }, character_key) => starsOf(db, character_key) },
  jobs: [noteUnusedStars, forgetStars],
  hooks: [deleteStarsOfTraded],
};
