import { z } from 'zod';
import { idInPath } from '../../../shared/schemas/fields.ts';
import { excused } from '../../../shared/schemas/missed-claim.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { routeFor } from '../../http/router.ts';
import { excuseNoShow } from './operations.ts';

const route = routeFor<Writing>();

export const missedRoutes = [
  route(
    {
      method: 'post',
      path: '/admin/endings/:id/excuse',
      access: 'claims',
      summary: 'Excuse a no-show of the claim history, so that it no longer counts',
      params: z.object({ id: idInPath }),
      answer: excused,
    },
    ({ ctx, caller, params }) => excuseNoShow(ctx, caller, params.id),
  ),
];
