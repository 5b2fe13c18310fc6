import { z } from 'zod';
import { idInPath } from '../../../shared/schemas/fields.ts';
import { wait, waitActor, waitAndEnd, waitInput, waitsQuery } from '../../../shared/schemas/wait.ts';
import type { LongReader } from '../../db/database.ts';
import { tellTotal } from '../../http/paging.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { acceptOffer, declineOffer, type Joining, joinWaitlist, leaveWaitlist } from './member-actions.ts';
import { countEntries, openEntries, pageOfEntries } from './waitlist-store.ts';

const route = routeFor<LongReader & Joining>();

const params = z.object({ id: idInPath });

export const waitRoutes = [
  route(
    {
      method: 'post',
      path: '/waits',
      access: 'actor',
      summary: 'Wait in line for hours that are taken; a member for the own character by the key, an admin for anybody',
      body: waitInput,
      answer: wait,
      status: 201,
    },
    ({ ctx, caller, body }) => joinWaitlist(ctx, caller, body),
  ),
  route(
    {
      method: 'delete',
      path: '/waits/:id',
      access: 'actor',
      summary: 'Leave a line; hours that are held come free',
      params,
      body: waitActor,
      answer: noAnswer,
    },
    ({ ctx, caller, params }) => leaveWaitlist(ctx, caller, params.id),
  ),
  route(
    {
      method: 'post',
      path: '/waits/:id/accept',
      access: 'actor',
      summary: 'Take the hours that are held: an ordinary claim from now on',
      params,
      body: waitActor,
      answer: wait,
    },
    ({ ctx, caller, params }) => acceptOffer(ctx, caller, params.id),
  ),
  route(
    {
      method: 'post',
      path: '/waits/:id/decline',
      access: 'actor',
      summary: 'Let the hours go that are held; the next in line is asked',
      params,
      body: waitActor,
      answer: wait,
    },
    ({ ctx, caller, params }) => declineOffer(ctx, caller, params.id),
  ),
  route(
    {
      method: 'get',
      path: '/waits',
      access: 'reader',
      summary: 'Who stands in line for hours that are taken, in the order in which they came',
      answer: z.array(wait),
    },
    ({ ctx }) => openEntries(ctx.db),
  ),
  route(
    {
      method: 'get',
      path: '/admin/waits',
      access: 'dashboard',
      summary: 'All waits by their date, those that have ended too, the newest first',
      query: waitsQuery,
      answer: z.array(waitAndEnd),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countEntries(ctx.longReads, query));
      return pageOfEntries(ctx.db, query);
    },
  ),
];
