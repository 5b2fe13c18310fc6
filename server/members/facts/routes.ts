import { z } from 'zod';
import { idInPath } from '../../../shared/schemas/fields.ts';
import { keepInput, needsLook } from '../../../shared/schemas/needs-look.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { changeToRank, keepFacts } from './operations.ts';
import { readNeeds } from './records.ts';

const route = routeFor<Writing>();
const params = z.object({ id: idInPath });

export const factsRoutes = [
  route(
    {
      method: 'get',
      path: '/admin/needs-look',
      access: 'guild',
      summary:
        "List the members who the game's data say left the guild, were traded, deleted or renamed, or have another rank",
      answer: z.array(needsLook),
    },
    ({ ctx }) => readNeeds(ctx),
  ),
  route(
    {
      method: 'post',
      path: '/admin/needs-look/:id/keep',
      access: 'guild',
      summary: "Keep a key's character as it is until the game's data change again",
      params,
      body: keepInput,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { id }, body }) => keepFacts(ctx, caller, { id, ...body }),
  ),
  route(
    {
      method: 'post',
      path: '/admin/needs-look/:id/change-type',
      access: 'guild',
      summary: "Give a key's character the member type of its new guild rank",
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { id } }) => changeToRank(ctx, caller, id),
  ),
];
