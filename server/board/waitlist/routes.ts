import { z } from 'zod';
import { idInPath } from '../../../shared/schemas/fields.ts';
import {
  wait,
  waitActor,
  waitAndEnd,
  waitInput,
  waitsQuery,
} from '../../../shared/schemas/wait.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { tellTotal } from '../../http/paging.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { acceptOffer, declineOffer, joinWaitlist, leaveWaitlist } from './member-actions.ts';
import { countEntries, openEntries, pageOfEntries } from './waitlist-store.ts';

const route = routeFor<Writing>();

const params = z.object({ id: idInPath });

export const waitRoutes = [
  route(
    {
      method: 'post',
      path: '/waits',
      access: 'actor',
      summary: 'Join the waitlist for taken hours',
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
      summary: 'Leave a waitlist; held hours are freed',
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
      summary: 'Take held hours: they become a claim',
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
      summary: 'Decline held hours; they are offered to the next on the waitlist',
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
      summary: 'List waitlist entries, first come first',
      answer: z.array(wait),
    },
    ({ ctx }) => openEntries(ctx.db),
  ),
  route(
    {
      method: 'get',
      path: '/admin/waits',
      access: 'dashboard',
      summary: 'List waitlist entries by date, ended ones included, newest first',
      query: waitsQuery,
      answer: z.array(waitAndEnd),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countEntries(ctx.longReads, query));
      return pageOfEntries(ctx.db, query);
    },
  ),
];
