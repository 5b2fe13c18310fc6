import { z } from 'zod';
import { existing } from '../../../shared/errors.ts';
import { bulkAnswer, respawnsBulk } from '../../../shared/schemas/bulk.ts';
import { claimOnDates, claimRow as claimRowSchema } from '../../../shared/schemas/claim.ts';
import { date, datedPageQuery, idInPath } from '../../../shared/schemas/fields.ts';
import {
  respawn,
  respawnCategory,
  respawnChange,
  respawnImage,
  respawnInput,
} from '../../../shared/schemas/respawn.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { answerPage } from '../../http/paging.ts';
import { noAnswer, routeFor } from '../../http/router.ts';
import { claimRows, loadClaims, pageOfClaimsOn } from '../claims/claim-records.ts';
import { findRespawn, findRespawns } from '../records/respawns.ts';
import { pictureOf } from './pictures.ts';
import { changeRespawnsInBulk, createRespawn, deleteRespawn, editRespawn } from './respawns.ts';

const route = routeFor<Writing>();

const params = z.object({ id: idInPath });

export const respawnRoutes = [
  route(
    {
      method: 'get',
      path: '/respawns/:id/claims/:date',
      access: 'reader',
      summary: 'List claims and waitlist entries of a respawn on a date, of all events',
      params: z.object({ id: idInPath, date }),
      answer: z.array(claimRowSchema),
    },
    async ({ ctx, params }) => {
      existing(await findRespawn(ctx.db, params.id), 'respawn.notFound');
      const claims = await loadClaims(ctx.db, {
        type: 'respawn-day',
        respawn_id: params.id,
        date: params.date,
      });
      return (await claimRows(ctx.db, claims)).filter((row) => row.respawn_id === params.id);
    },
  ),
  route(
    {
      method: 'get',
      path: '/respawns/:id/claims',
      access: 'reader',
      summary:
        'List claims and waitlist entries of a respawn in a range of dates, each with its dates',
      params,
      query: datedPageQuery.extend({
        except_event: idInPath
          .optional()
          .describe('Without those of this event, which its board shows'),
      }),
      answer: z.array(claimOnDates),
    },
    async ({ ctx, params, query: { except_event, ...page }, res }) => {
      existing(await findRespawn(ctx.db, params.id), 'respawn.notFound');
      return answerPage(
        res,
        page,
        pageOfClaimsOn(ctx, { type: 'respawn', respawn_id: params.id, except_event }, page),
      );
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/respawns',
      access: 'dashboard',
      summary: 'List all respawns, disabled ones included',
      answer: z.array(respawn),
    },
    ({ ctx }) => findRespawns(ctx.db),
  ),
  route(
    {
      method: 'post',
      path: '/respawns/admin',
      access: 'guild',
      summary: 'Create a respawn; its picture is a .gif of at most 2 MiB',
      upload: true,
      body: respawnInput,
      answer: respawn,
      status: 201,
    },
    ({ ctx, caller, body, file }) => createRespawn(ctx, caller, { ...body, file }),
  ),
  route(
    {
      method: 'put',
      path: '/admin/respawns/:id',
      access: 'guild',
      summary: 'Change the given fields of a respawn',
      params,
      body: respawnChange,
      answer: respawn,
    },
    ({ ctx, caller, params: { id }, body }) => editRespawn(ctx, caller, { ...body, id }),
  ),
  route(
    {
      method: 'put',
      path: '/admin/respawns/:id/category',
      access: 'guild',
      summary: 'Move a respawn to a category; null removes it from its category',
      params,
      body: respawnCategory,
      answer: respawn,
    },
    ({ ctx, caller, params: { id }, body }) => editRespawn(ctx, caller, { ...body, id }),
  ),
  route(
    {
      method: 'put',
      path: '/admin/respawns/:id/image',
      access: 'guild',
      summary: 'Replace the picture of a respawn: a .gif of at most 2 MiB',
      params,
      upload: true,
      answer: respawnImage,
    },
    async ({ ctx, caller, params: { id }, file }) => {
      existing(await findRespawn(ctx.db, id), 'respawn.notFound');
      const { image, image_url } = await editRespawn(ctx, caller, { id, picture: pictureOf(file) });
      return { image, image_url };
    },
  ),
  route(
    {
      method: 'post',
      path: '/admin/respawns/bulk',
      access: 'guild',
      summary: 'Enable, disable, delete or move many respawns, all or none, with one undo',
      largeBody: true,
      body: respawnsBulk,
      answer: bulkAnswer,
    },
    ({ ctx, caller, body }) => changeRespawnsInBulk(ctx, caller, body),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/respawns/:id',
      access: 'guild',
      summary: 'Delete a respawn with its claims',
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { id } }) => deleteRespawn(ctx, caller, id),
  ),
];
