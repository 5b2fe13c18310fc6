import { z } from 'zod';
import { accessKey, accessKeyInput, accessKeyTypeInput } from '../../../shared/schemas/access-key.ts';
import { bulkAnswer, keysBulk } from '../../../shared/schemas/bulk.ts';
import { idInPath, pageQuery } from '../../../shared/schemas/fields.ts';
import { countRows } from '../../db/page.ts';
import { tellTotal } from '../../http/listed.ts';
import { inPieces, pagesOf } from '../../http/pieces.ts';
import { noAnswer, type Route, route } from '../../http/route.ts';
import { changeKeysInBulk } from './bulk.ts';
import { createAccessKey, deleteAccessKey, setKeyMemberType, setKeyRevoked } from './operations.ts';
import { allAccessKeys } from './queries.ts';

const params = z.object({ id: idInPath });

export const accessKeyRoutes: Route[] = [
  route(
    {
      method: 'get',
      path: '/admin/access-keys',
      access: 'guild',
      summary: 'Access keys, the newest first',
      query: pageQuery,
      answer: z.array(accessKey),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countRows(ctx.aside, 'access_keys'));
      return inPieces(
        res,
        pagesOf(query, (page) => allAccessKeys(ctx.db, page)),
      );
    },
  ),
  route(
    {
      method: 'post',
      path: '/admin/access-keys',
      access: 'guild',
      summary: 'Make an access key for a character',
      body: accessKeyInput,
      answer: accessKey,
      status: 201,
    },
    ({ ctx, caller, body }) => createAccessKey(ctx, caller, body),
  ),
  route(
    {
      method: 'post',
      path: '/admin/access-keys/bulk',
      access: 'guild',
      summary: 'Revoke, enable, delete or retype many keys, all or none, as one deed with one undo',
      largeBody: true,
      body: keysBulk,
      answer: bulkAnswer,
    },
    ({ ctx, caller, body }) => changeKeysInBulk(ctx, caller, body.ids, body.deed),
  ),
  route(
    { method: 'put', path: '/admin/access-keys/:id/revoke', access: 'guild', summary: 'Revoke a key', params, answer: accessKey },
    ({ ctx, caller, params: { id } }) => setKeyRevoked(ctx, caller, id, true),
  ),
  route(
    {
      method: 'put',
      path: '/admin/access-keys/:id/enable',
      access: 'guild',
      summary: 'Enable a revoked key again',
      params,
      answer: accessKey,
    },
    ({ ctx, caller, params: { id } }) => setKeyRevoked(ctx, caller, id, false),
  ),
  route(
    {
      method: 'put',
      path: '/admin/access-keys/:id/member-type',
      access: 'guild',
      summary: "Change the member type of an active key's holder",
      params,
      body: accessKeyTypeInput,
      answer: accessKey,
    },
    ({ ctx, caller, params: { id }, body }) => setKeyMemberType(ctx, caller, id, body.memberType),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/access-keys/:id',
      access: 'guild',
      summary: 'Delete a key with the verification records of its character',
      params,
      answer: noAnswer,
    },
    ({ ctx, caller, params: { id } }) => deleteAccessKey(ctx, caller, id),
  ),
];
