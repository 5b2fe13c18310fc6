import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { idInPath, name } from '../../../shared/schemas/fields.ts';
import {
  standingActor,
  standingChange,
  standingClaim,
  standingClaimCount,
  standingEnding,
  standingInput,
  standingOccurrence,
  standingPreviewInput,
  standingQuery,
} from '../../../shared/schemas/standing-claim.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { tellTotal } from '../../http/paging.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import {
  changeStanding,
  countStandingClaims,
  createStanding,
  endStanding,
  previewStanding,
} from './operations.ts';
import { countStanding, standingOf, standingPage } from './records.ts';

const route = routeFor<Writing>();

const params = z.object({ id: idInPath });

export const standingRoutes = [
  route(
    {
      method: 'get',
      path: '/standing',
      access: 'actor',
      summary:
        "List a character's standing claims; an admin names the character in `character_name`",
      query: z.object({ character_name: name('character.nameRequired').optional() }),
      answer: z.array(standingClaim),
    },
    ({ ctx, caller, query }) => {
      if (caller.role === 'member') return standingOf(ctx.db, caller.character_key);
      if (!query.character_name) throw new DomainError('character.nameRequired');
      return standingOf(ctx.db, nameKey(query.character_name));
    },
  ),
  route(
    {
      method: 'post',
      path: '/standing',
      access: 'actor',
      summary:
        'Create a standing claim that makes a claim on each of its weekdays: a member for the own character by the key, an admin for any',
      body: standingInput,
      answer: standingClaim,
      status: 201,
    },
    ({ ctx, caller, body }) => createStanding(ctx, caller, body),
  ),
  route(
    {
      method: 'post',
      path: '/standing/preview',
      access: 'actor',
      summary: 'Preview the next 14 dates of a standing claim; nothing is stored',
      body: standingPreviewInput,
      answer: z.array(standingOccurrence),
    },
    ({ ctx, caller, body }) => previewStanding(ctx, caller, body),
  ),
  route(
    {
      method: 'put',
      path: '/standing/:id',
      access: 'actor',
      summary:
        'Change the given fields of a standing claim, pause it or resume it; the claims that it made stay as they are',
      params,
      body: standingChange,
      answer: standingClaim,
    },
    ({ ctx, caller, params, body }) => changeStanding(ctx, caller, { ...body, id: params.id }),
  ),
  route(
    {
      method: 'delete',
      path: '/standing/:id',
      access: 'actor',
      summary: 'End a standing claim; its claims of later dates stay, or are released',
      params,
      query: standingEnding,
      body: standingActor,
      answer: noAnswer,
    },
    ({ ctx, caller, params, query }) => endStanding(ctx, caller, { ...query, id: params.id }),
  ),
  route(
    {
      method: 'get',
      path: '/standing/:id/claims',
      access: 'actor',
      summary: 'Count the claims that ending a standing claim with `claims=release` would release',
      params,
      answer: standingClaimCount,
    },
    ({ ctx, caller, params }) => countStandingClaims(ctx, caller, params.id),
  ),
  route(
    {
      method: 'get',
      path: '/admin/standing',
      access: 'dashboard',
      summary:
        'List the standing claims that go on, or with `state=ended` those that ended in the last 30 days, in order of creation',
      query: standingQuery,
      answer: z.array(standingClaim),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countStanding(ctx.longReads, query));
      return standingPage(ctx.db, query);
    },
  ),
];
