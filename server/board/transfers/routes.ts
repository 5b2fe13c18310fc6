import { z } from 'zod';
import { MAX_RECIPIENTS } from '../../../shared/rules/transfer.ts';
import { claimRow } from '../../../shared/schemas/claim.ts';
import { idInPath } from '../../../shared/schemas/fields.ts';
import {
  claimCharacter,
  handoverInput,
  recipientsQuery,
  swapInput,
  transfer,
  transferActor,
} from '../../../shared/schemas/transfer.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { openTransfers, openTransfersOf } from '../records/transfers.ts';
import { moveToCharacter } from './reassign.ts';
import {
  acceptTransfer,
  offerHandover,
  offerSwap,
  recipientsLike,
  refuseTransfer,
  withdrawTransfer,
} from './transfers.ts';

const route = routeFor<Writing>();

const params = z.object({ id: idInPath });

export const transferRoutes = [
  route(
    {
      method: 'post',
      path: '/claims/:id/handover',
      access: 'member',
      summary: "Offer one's own claim, whole, to another character, who accepts or refuses",
      params,
      body: handoverInput,
      answer: transfer,
      status: 201,
    },
    ({ ctx, caller, params, body }) =>
      offerHandover(ctx, caller, { claim_id: params.id, to: body.to }),
  ),
  route(
    {
      method: 'post',
      path: '/claims/:id/swap',
      access: 'member',
      summary: "Offer one's own claim in return for another character's, who accepts or refuses",
      params,
      body: swapInput,
      answer: transfer,
      status: 201,
    },
    ({ ctx, caller, params, body }) =>
      offerSwap(ctx, caller, { claim_id: params.id, for_claim_id: body.for_claim_id }),
  ),
  route(
    {
      method: 'post',
      path: '/transfers/:id/accept',
      access: 'member',
      summary:
        'Accept an offered claim: everything is judged again, and the claims change hands at once',
      params,
      body: transferActor,
      answer: transfer,
    },
    ({ ctx, caller, params }) => acceptTransfer(ctx, caller, params.id),
  ),
  route(
    {
      method: 'post',
      path: '/transfers/:id/refuse',
      access: 'member',
      summary: 'Refuse an offered claim',
      params,
      body: transferActor,
      answer: transfer,
    },
    ({ ctx, caller, params }) => refuseTransfer(ctx, caller, params.id),
  ),
  route(
    {
      method: 'delete',
      path: '/transfers/:id',
      access: 'actor',
      summary: "Withdraw the caller's own offer; an admin withdraws any",
      params,
      body: transferActor,
      answer: noAnswer,
    },
    ({ ctx, caller, params }) => withdrawTransfer(ctx, caller, params.id),
  ),
  route(
    {
      method: 'put',
      path: '/claims/admin/:id/character',
      access: 'claims',
      summary:
        'Move a claim to another character at once, with its secondary claims; a split one has a row for each part',
      params,
      body: claimCharacter,
      answer: z.array(claimRow),
    },
    ({ ctx, caller, params, body }) => moveToCharacter(ctx, caller, { ...body, id: params.id }),
  ),
  route(
    {
      method: 'get',
      path: '/transfers',
      access: 'reader',
      summary: "List open transfers to and from the caller's character; for admins all of them",
      answer: z.array(transfer),
    },
    async ({ ctx, caller }) => {
      if (caller.role === 'visitor') return [];
      return caller.role === 'member'
        ? openTransfersOf(ctx.db, caller.character_key)
        : openTransfers(ctx.db);
    },
  ),
  route(
    {
      method: 'get',
      path: '/transfers/recipients',
      access: 'member',
      summary:
        'List characters that can be offered a claim and whose names begin with a text, in order',
      query: recipientsQuery,
      answer: z.array(z.string()).max(MAX_RECIPIENTS),
    },
    ({ ctx, caller, query }) => recipientsLike(ctx, caller, query.name),
  ),
];
