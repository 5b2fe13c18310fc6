import type { Feature } from '../../feature.ts';
import { lookAtFacts, lookAtSignedIn, lookSoon } from './look.ts';
import { countAnew, keepReturned } from './records.ts';
import { factsRoutes } from './routes.ts';

export const facts: Feature = {
  name: 'facts',
  routes: factsRoutes,
  jobs: [lookAtFacts],
  hooks: [keepReturned, countAnew],
  signedIn: lookAtSignedIn,
  everyMinute: lookSoon,
};
