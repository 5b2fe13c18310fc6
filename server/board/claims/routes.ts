import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { MAX_EVENT_DAYS } from '../../../shared/rules/event-period.ts';
import { bulkAnswer, claimsBulk } from '../../../shared/schemas/bulk.ts';
import {
  characterClaims as characterClaimsSchema,
  characterDates as characterDatesSchema,
  claimActor,
  claimEdit,
  claimMove,
  claimRow,
  fewDates,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  ownClaim,
  type Submission,
  submission,
} from '../../../shared/schemas/claim.ts';
import { characterPageQuery, date, idInPath, name } from '../../../shared/schemas/fields.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import type { Admin, KeyHolder } from '../../http/caller.ts';
import { answerPage } from '../../http/paging.ts';
import { callerName, noAnswer, routeFor } from '../../http/router.ts';
import { claimsOffBoard } from './board-view.ts';
import { characterClaims, characterDates, pageOfClaims } from './claim-records.ts';
import type { ClaimScope } from './claim-scopes.ts';
import { confirmClaim } from './confirm.ts';
import { editClaim } from './edit-claim.ts';
import { clearRespawn, deleteClaim, deleteClaimsInBulk, releaseClaim } from './end-claims.ts';
import { answerOnce } from './idempotency.ts';
import { submitClaims } from './submit.ts';

const route = routeFor<Writing>();

/**
 * An admin submits with the token and `admin_submission`; anyone else with an access key.
 * @throws DomainError session.required or session.adminOnly
 */
function assertSubmits(
  caller: Admin | KeyHolder,
  { admin_submission }: Pick<Submission, 'admin_submission'>,
): void {
  if (admin_submission && caller.role === 'member') throw new DomainError('session.adminOnly');
  if (!admin_submission && caller.role === 'admin') throw new DomainError('session.required');
}

function listedBy({
  character,
  except_event,
}: {
  character?: string | undefined;
  except_event?: number | undefined;
}): ClaimScope {
  if (character !== undefined)
    return { type: 'character', character_name: character, except_event };
  return except_event === undefined
    ? { type: 'all' }
    : { type: 'except-event', event_id: except_event };
}

export const claimRoutes = [
  route(
    {
      method: 'post',
      path: '/claims',
      access: 'actor',
      summary:
        'Submit claims, all or none; safe to repeat with an Idempotency-Key header. Over 16 kB only with the credential in a header',
      body: submission,
      largeBody: true,
      answer: z.array(claimRow),
      status: 201,
    },
    async (call) => {
      const { ctx, body, req, caller } = call;
      assertSubmits(caller, body);
      const idempotency_key = req.get('idempotency-key');
      if (!idempotency_key) return submitClaims(ctx, caller, body);
      if (idempotency_key.length > MAX_IDEMPOTENCY_KEY_LENGTH)
        throw new DomainError('request.invalid', { field: 'Idempotency-Key' });
      return answerOnce(
        ctx,
        { sender: callerName(ctx, caller, req), idempotency_key, body },
        (within) => submitClaims(ctx, caller, { ...body, within }),
      );
    },
  ),
  route(
    {
      method: 'post',
      path: '/claims/:id/release',
      access: 'actor',
      summary: 'Release the rest of a claim, or of one part of a split claim',
      params: z.object({ id: idInPath }),
      body: claimActor,
      answer: z.array(claimRow),
    },
    ({ ctx, caller, params, body }) =>
      releaseClaim(ctx, caller, { ...params, part_number: body.part_number ?? null }),
  ),
  route(
    {
      method: 'post',
      path: '/claims/:id/confirm',
      access: 'actor',
      summary: 'Confirm a claim at its start, or one part of a split claim',
      params: z.object({ id: idInPath }),
      body: claimActor,
      answer: z.array(claimRow),
    },
    ({ ctx, caller, params, body }) =>
      confirmClaim(ctx, caller, { ...params, part_number: body.part_number ?? null }),
  ),
  route(
    {
      method: 'get',
      path: '/claims/check-character-claims/:characterName',
      access: 'reader',
      summary: "List a character's claims on a date",
      params: z.object({ characterName: name('character.nameRequired') }),
      query: z.object({ date, respawnId: idInPath.optional() }),
      answer: characterClaimsSchema,
    },
    ({ ctx, params, query }) =>
      characterClaims(ctx, { character_name: params.characterName, date: query.date }),
  ),
  route(
    {
      method: 'get',
      path: '/claims/character-claims/:characterName',
      access: 'reader',
      summary: `List a character's claims in a range of at most ${MAX_EVENT_DAYS} dates`,
      params: z.object({ characterName: name('character.nameRequired') }),
      query: fewDates,
      answer: characterDatesSchema,
    },
    ({ ctx, params, query }) =>
      characterDates(ctx, { character_name: params.characterName, ...query }),
  ),
  route(
    {
      method: 'get',
      path: '/claims/mine',
      access: 'reader',
      summary:
        "List the member's claims from today on that the board does not list; empty without a character or an active event",
      answer: z.array(ownClaim),
    },
    async ({ ctx, caller }) =>
      caller.role === 'member' ? claimsOffBoard(ctx, ctx.db, caller.character_key) : [],
  ),
  route(
    {
      method: 'delete',
      path: '/admin/claims/:id',
      access: 'claims',
      summary: 'Delete a claim; a split one loses both parts',
      params: z.object({ id: idInPath }),
      answer: noAnswer,
    },
    ({ ctx, caller, params }) => deleteClaim(ctx, caller, params.id),
  ),
  route(
    {
      method: 'post',
      path: '/admin/claims/bulk',
      access: 'claims',
      summary: 'Delete many claims, split ones with both parts, all or none, with one undo',
      largeBody: true,
      body: claimsBulk,
      answer: bulkAnswer,
    },
    ({ ctx, caller, body }) => deleteClaimsInBulk(ctx, caller, body.ids),
  ),
  route(
    {
      method: 'get',
      path: '/admin/claims',
      access: 'dashboard',
      summary:
        'List the claims of all events and of none, in order of creation; a page counts a split claim once',
      query: characterPageQuery.extend({
        except_event: idInPath.optional().describe('Without those of this event'),
      }),
      answer: z.array(claimRow),
    },
    ({ ctx, query, res }) => answerPage(res, query, pageOfClaims(ctx, listedBy(query), query)),
  ),
  route(
    {
      method: 'put',
      path: '/claims/admin/:id',
      access: 'claims',
      summary:
        "Change a claim's hours, and with them its respawn, date or character; secondary claims follow",
      params: z.object({ id: idInPath }),
      body: claimEdit,
      answer: claimRow,
    },
    ({ ctx, caller, params, body: { hour_start, hour_end, ...to } }) =>
      editClaim(ctx, caller, { ...params, ...to, times: { hour_start, hour_end } }),
  ),
  route(
    {
      method: 'put',
      path: '/claims/admin/:id/respawn',
      access: 'claims',
      summary: 'Move a claim to another respawn or date; its hours stay',
      params: z.object({ id: idInPath }),
      body: claimMove,
      answer: claimRow,
    },
    ({ ctx, caller, params, body }) => editClaim(ctx, caller, { ...params, ...body }),
  ),
  route(
    {
      method: 'delete',
      path: '/claims/admin/respawn/:respawnId',
      access: 'claims',
      summary: "Delete a respawn's claims of the active event, or all if no event is active",
      params: z.object({ respawnId: idInPath }),
      answer: z.object({ deletedCount: z.number().int() }),
    },
    ({ ctx, caller, params }) => clearRespawn(ctx, caller, params.respawnId),
  ),
];
