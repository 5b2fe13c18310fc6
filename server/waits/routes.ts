import { z } from 'zod';
import { datedPageQuery } from '../../shared/schemas/fields.ts';
import { wait } from '../../shared/schemas/wait.ts';
import { tellTotal } from '../http/listed.ts';
import { type Route, route } from '../http/route.ts';
import { countWaits, openWaits, pageOfWaits } from './queries.ts';

export const waitRoutes: Route[] = [
  route(
    {
      method: 'get',
      path: '/waits',
      access: 'reader',
      summary: 'Who stands in line for hours that are taken, in the order in which they came',
      answer: z.array(wait),
    },
    ({ ctx }) => openWaits(ctx.db),
  ),
  route(
    {
      method: 'get',
      path: '/admin/waits',
      access: 'admin',
      summary: 'All waits by their date, those that have ended too, the newest first',
      query: datedPageQuery,
      answer: z.array(wait),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countWaits(ctx.aside, query));
      return pageOfWaits(ctx.db, query);
    },
  ),
];
