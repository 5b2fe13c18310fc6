import { z } from 'zod';
import { eventCopied, eventCopy } from '../../../shared/schemas/event-copy.ts';
import { idInPath } from '../../../shared/schemas/fields.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { routeFor } from '../../http/router.ts';
import { copyEvent } from './event-copy.ts';

const route = routeFor<Writing>();

const params = z.object({ id: idInPath });

export const eventCopyRoutes = [
  route(
    {
      method: 'post',
      path: '/admin/events/:id/copy',
      access: 'guild',
      summary:
        'Copy an event to new dates with its claims where possible; with `preview` only list the outcome',
      params,
      body: eventCopy,
      largeBody: true,
      answer: eventCopied,
    },
    ({ ctx, caller, params: { id }, body }) => copyEvent(ctx, caller, { ...body, id }),
  ),
];
