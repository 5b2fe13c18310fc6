import type { Feature } from '../../feature.ts';
import { lookAtFacts, lookAtSignedIn, lookSoon } from './look.ts';
import { countAnew, keepReturned } from './records.ts';
import { renameUndo } from './rename.ts';
import { factsRoutes } from './routes.ts';
import { followFormerNames } from './store.ts';

export const facts: Feature = {
  name: 'facts',
  routes: factsRoutes,
  jobs: [lookAtFacts],
  hooks: [keepReturned, countAnew],
  undo: [renameUndo],
  signedIn: lookAtSignedIn,
  verifying: followFormerNames,
  everyMinute: lookSoon,
};
