import { z } from 'zod';
import {
  activityPage,
  activityQuery,
  undoAnswer,
  undoRequest,
} from '../../shared/schemas/activity.ts';
import { idInPath } from '../../shared/schemas/fields.ts';

import { routeFor } from '../http/router.ts';
import { activityLog, type LogReading } from './log.ts';
import { type UndoContext, undoActivity } from './undo.ts';

const route = routeFor<LogReading & UndoContext>();

export const activityRoutes = [
  route(
    {
      method: 'get',
      path: '/admin/activity-log',
      access: 'dashboard',
      summary: 'List the activity log, newest first',
      query: activityQuery,
      answer: activityPage,
    },
    ({ ctx, query }) => activityLog(ctx, query),
  ),
  route(
    {
      method: 'post',
      path: '/admin/activity-log/:id/undo',
      access: 'claims',
      summary:
        'Undo what an entry deleted or changed; anything but claims requires a role that may change the guild. If something is in the way of some claims, a 409 names it, and `partial` restores the `restorable` others',
      params: z.object({ id: idInPath }),
      body: undoRequest,
      answer: undoAnswer,
    },
    ({ ctx, caller, params, body }) => undoActivity(ctx, caller, { id: params.id, ...body }),
  ),
];
