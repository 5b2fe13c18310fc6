import { z } from 'zod';
import {
  accessKey,
  accessKeyInput,
  accessKeyTypeInput,
  lastClaim,
} from '../../shared/schemas/access-key.ts';
import { bulkAnswer, charactersBulk, keysBulk } from '../../shared/schemas/bulk.ts';
import {
  characterInput,
  codeRequest,
  isVerifiedAnswer,
  pendingCode,
  verificationAnswer,
  verificationCheck,
  verifiedCode,
} from '../../shared/schemas/character.ts';
import { idInPath, name, pageQuery } from '../../shared/schemas/fields.ts';
import { countRows } from '../db/database.ts';
import { type AddressHash, addressOf } from '../http/client-address.ts';
import { inPieces, pagesOf, tellTotal } from '../http/paging.ts';
import { noAnswer, routeFor } from '../http/router.ts';
import {
  changeKeysInBulk,
  createAccessKey,
  deleteAccessKey,
  setKeyMemberType,
  setKeyRevoked,
} from './access-keys.ts';
import {
  banCharacter,
  banKeyHolders,
  changeCharactersInBulk,
  deleteVerification,
  setAccessRevoked,
  unbanCharacter,
  verifyByHand,
} from './characters.ts';
import { lastClaims } from './last-claims.ts';
import { allAccessKeys, isVerified, verifiedCodes } from './records.ts';
import { checkVerification, type VerificationContext } from './verification/check-verification.ts';
import { requestCode } from './verification/codes.ts';

export interface MembersContext extends VerificationContext {
  hashAddress: AddressHash;
}

const route = routeFor<MembersContext>();

const params = z.object({ id: idInPath });

export const accessKeyRoutes = [
  route(
    {
      method: 'get',
      path: '/admin/access-keys',
      access: 'guild',
      summary: 'List access keys, newest first',
      query: pageQuery,
      answer: z.array(accessKey),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countRows(ctx.longReads, 'access_keys'));
      return inPieces(
        res,
        pagesOf(query, (page) => allAccessKeys(ctx.db, page)),
      );
    },
  ),
  route(
    {
      method: 'get',
      path: '/admin/last-claims',
      access: 'guild',
      summary: "List the last claim of each key's character, newest key first",
      query: pageQuery,
      answer: z.array(lastClaim),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countRows(ctx.longReads, 'access_keys'));
      return inPieces(
        res,
        pagesOf(query, (page) => lastClaims(ctx.db, page)),
      );
    },
  ),
  route(
    {
      method: 'post',
      path: '/admin/access-keys',
      access: 'guild',
      summary: 'Create an access key for a character',
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
      summary:
        'Revoke, enable or delete many keys, change their member type or ban their characters, all or none, with one undo',
      largeBody: true,
      body: keysBulk,
      answer: bulkAnswer,
    },
    ({ ctx, caller, body: { ids, command } }) =>
      command.do === 'ban'
        ? banKeyHolders(ctx, caller, ids)
        : changeKeysInBulk(ctx, caller, { ids, command }),
  ),
  route(
    {
      method: 'put',
      path: '/admin/access-keys/:id/revoke',
      access: 'guild',
      summary: 'Revoke a key',
      params,
      answer: accessKey,
    },
    ({ ctx, caller, params: { id } }) => setKeyRevoked(ctx, caller, { id, revoked: true }),
  ),
  route(
    {
      method: 'put',
      path: '/admin/access-keys/:id/enable',
      access: 'guild',
      summary: 'Re-enable a revoked key',
      params,
      answer: accessKey,
    },
    ({ ctx, caller, params: { id } }) => setKeyRevoked(ctx, caller, { id, revoked: false }),
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
    ({ ctx, caller, params: { id }, body }) => setKeyMemberType(ctx, caller, { id, ...body }),
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

export const characterRoutes = [
  route(
    {
      method: 'post',
      path: '/generate-verification-code',
      access: 'open',
      summary: "Create a verification code for a character's comment",
      body: codeRequest,
      answer: pendingCode,
      status: 201,
    },
    async ({ ctx, body, req }) =>
      requestCode(ctx, body.character_name, await ctx.hashAddress(addressOf(req, ctx.env))),
  ),
  route(
    {
      method: 'get',
      path: '/check-character-verification/:characterName',
      access: 'open',
      summary: 'Check whether a character has an active access key',
      params: z.object({ characterName: name('character.nameRequired') }),
      answer: isVerifiedAnswer,
      bare: true,
    },
    async ({ ctx, params }) => ({ isVerified: await isVerified(ctx.db, params.characterName) }),
  ),
  route(
    {
      method: 'post',
      path: '/check-verification',
      access: 'open',
      summary:
        "Look for a code in its character's comment; the browser that requested it gets the access key",
      body: verificationCheck,
      answer: verificationAnswer,
    },
    async ({ ctx, body, req }) =>
      checkVerification(ctx, body, await ctx.hashAddress(addressOf(req, ctx.env))),
  ),
  route(
    {
      method: 'get',
      path: '/admin/verified-codes',
      access: 'guild',
      summary: 'List verification records, newest first',
      query: pageQuery,
      answer: z.array(verifiedCode),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countRows(ctx.longReads, 'verifications'));
      return inPieces(
        res,
        pagesOf(query, (page) => verifiedCodes(ctx.db, { type: 'page', ...page })),
      );
    },
  ),
  route(
    {
      method: 'post',
      path: '/admin/verified-codes/bulk',
      access: 'guild',
      summary:
        'Ban or unban many characters, revoke or enable their keys, or delete their records, all or none, with one undo',
      largeBody: true,
      body: charactersBulk,
      answer: bulkAnswer,
    },
    ({ ctx, caller, body }) => changeCharactersInBulk(ctx, caller, body),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/verified-codes/:id',
      access: 'guild',
      summary: 'Delete a verification record; the access key is kept',
      params: z.object({ id: idInPath }),
      answer: noAnswer,
    },
    ({ ctx, caller, params }) => deleteVerification(ctx, caller, params.id),
  ),
  route(
    {
      method: 'post',
      path: '/admin/verify-character',
      access: 'guild',
      summary: 'Verify a character manually and create its access key',
      body: characterInput,
      answer: verifiedCode,
    },
    ({ ctx, caller, body }) => verifyByHand(ctx, caller, body.character_name),
  ),
  route(
    {
      method: 'post',
      path: '/admin/revoke-character-access',
      access: 'guild',
      summary: "Revoke a character's key",
      body: characterInput,
      answer: noAnswer,
    },
    ({ ctx, caller, body }) => setAccessRevoked(ctx, caller, { ...body, revoked: true }),
  ),
  route(
    {
      method: 'post',
      path: '/admin/restore-character-access',
      access: 'guild',
      summary: "Re-enable a character's revoked key",
      body: characterInput,
      answer: noAnswer,
    },
    ({ ctx, caller, body }) => setAccessRevoked(ctx, caller, { ...body, revoked: false }),
  ),
  route(
    {
      method: 'post',
      path: '/admin/ban-character',
      access: 'guild',
      summary: 'Ban a character',
      body: characterInput,
      answer: noAnswer,
    },
    ({ ctx, caller, body }) => banCharacter(ctx, caller, body.character_name),
  ),
  route(
    {
      method: 'post',
      path: '/admin/unban-character',
      access: 'guild',
      summary: 'Unban a character',
      body: characterInput,
      answer: noAnswer,
    },
    ({ ctx, caller, body }) => unbanCharacter(ctx, caller, body.character_name),
  ),
];
