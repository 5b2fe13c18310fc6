import type { Feature } from '../../../feature.ts';
import type { BoardMessageContext } from './context.ts';
import { closeMessage, eachHour, editMessage } from './edit.ts';
import { followBoard } from './follow.ts';
import { boardMessageRoutes } from './routes.ts';

export const boardMessages: Feature<BoardMessageContext> = {
  name: 'board in a channel',
  routes: boardMessageRoutes,
  jobs: [editMessage, closeMessage, eachHour],
  hooks: [followBoard],
};
