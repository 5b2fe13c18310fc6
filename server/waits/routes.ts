import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { idInPath } from '../../shared/schemas/fields.ts';
import { wait, waitActor, waitAndEnd, waitInput, waitsQuery } from '../../shared/schemas/wait.ts';
import { tellTotal } from '../http/listed.ts';
import { type Call, memberInBody, noAnswer, type Route, route } from '../http/route.ts';
import { adminWho } from '../session/may.ts';
import { acceptOffer, declineOffer } from './answer-offer.ts';
import { beginWait, type Waiter, withdrawWait } from './operations.ts';
import { countWaits, openWaits, pageOfWaits } from './queries.ts';

type WaitCall = Call<unknown, unknown, z.infer<typeof waitActor>, 'open'>;

/** Whoever acts: an admin by token, a member by the key, in a header or in the body. */
async function waiterOf(call: WaitCall): Promise<Waiter> {
  const { caller, body, req, ctx } = call;
  if (caller.role === 'admin') return { role: 'admin', admin: adminWho(caller, 'claims') };
  const access_key = body.access_key ?? req.get('x-access-key');
  if (!access_key) throw caller.refused ?? new DomainError('session.required');
  // Before the write, which takes the lock that every other one waits for; there it is looked up again.
  await ctx.writes.admit(() => memberInBody(call, access_key));
  return { role: 'member', access_key };
}

const params = z.object({ id: idInPath });

export const waitRoutes: Route[] = [
  route(
    {
      method: 'post',
      path: '/waits',
      access: 'open',
      summary: 'Wait in line for hours that are taken; a member for the own character by the key, an admin for anybody',
      body: waitInput,
      answer: wait,
      status: 201,
    },
    async (call) => beginWait(call.ctx, await waiterOf(call), call.body),
  ),
  route(
    {
      method: 'delete',
      path: '/waits/:id',
      access: 'open',
      summary: 'Leave a line; hours that are held come free',
      params,
      body: waitActor,
      answer: noAnswer,
    },
    async (call) => withdrawWait(call.ctx, await waiterOf(call), call.params.id),
  ),
  route(
    {
      method: 'post',
      path: '/waits/:id/accept',
      access: 'open',
      summary: 'Take the hours that are held: an ordinary claim from now on',
      params,
      body: waitActor,
      answer: wait,
    },
    async (call) => acceptOffer(call.ctx, await waiterOf(call), call.params.id),
  ),
  route(
    {
      method: 'post',
      path: '/waits/:id/decline',
      access: 'open',
      summary: 'Let the hours go that are held; the next in line is asked',
      params,
      body: waitActor,
      answer: wait,
    },
    async (call) => declineOffer(call.ctx, await waiterOf(call), call.params.id),
  ),
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
      access: 'dashboard',
      summary: 'All waits by their date, those that have ended too, the newest first',
      query: waitsQuery,
      answer: z.array(waitAndEnd),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countWaits(ctx.aside, query));
      return pageOfWaits(ctx.db, query);
    },
  ),
];
