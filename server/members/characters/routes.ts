import { z } from 'zod';
import { bulkAnswer, charactersBulk } from '../../../shared/schemas/bulk.ts';
import {
  characterInput,
  codeRequest,
  isVerifiedAnswer,
  pendingCode,
  verificationAnswer,
  verificationCheck,
  verifiedCode,
} from '../../../shared/schemas/character.ts';
import { idInPath, name, pageQuery } from '../../../shared/schemas/fields.ts';
import { countRows } from '../../db/page.ts';
import { addressOf } from '../../http/limits/address.ts';
import { tellTotal } from '../../http/listed.ts';
import { inPieces, pagesOf } from '../../http/pieces.ts';
import { noAnswer, type Route, route } from '../../http/route.ts';
import { changeCharactersInBulk } from './bulk.ts';
import { checkVerification } from './check-code.ts';
import { banCharacter, deleteVerification, setAccessRevoked, unbanCharacter, verifyByHand } from './operations.ts';
import { isVerified, verifiedCodes } from './queries.ts';
import { requestCode } from './request-code.ts';

export const characterRoutes: Route[] = [
  route(
    {
      method: 'post',
      path: '/generate-verification-code',
      access: 'open',
      summary: "A code to put into a character's comment",
      body: codeRequest,
      answer: pendingCode,
      status: 201,
    },
    async ({ ctx, body, req }) => requestCode(ctx, body.character_name, await ctx.hashAddress(addressOf(req, ctx.env))),
  ),
  route(
    {
      method: 'get',
      path: '/check-character-verification/:characterName',
      access: 'open',
      summary: 'Whether a character holds a key that works',
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
      summary: "Look for a code in its character's comment; whoever began with it gets the key",
      body: verificationCheck,
      answer: verificationAnswer,
    },
    async ({ ctx, body, req }) => checkVerification(ctx, body, await ctx.hashAddress(addressOf(req, ctx.env))),
  ),
  route(
    {
      method: 'get',
      path: '/admin/verified-codes',
      access: 'guild',
      summary: 'Verification records, the newest first',
      query: pageQuery,
      answer: z.array(verifiedCode),
    },
    async ({ ctx, query, res }) => {
      await tellTotal(res, query, () => countRows(ctx.aside, 'verifications'));
      return inPieces(
        res,
        pagesOf(query, (page) => verifiedCodes(ctx.db, { of: 'page', ...page })),
      );
    },
  ),
  route(
    {
      method: 'post',
      path: '/admin/verified-codes/bulk',
      access: 'guild',
      summary: 'Ban or unban many characters, revoke or enable their keys, or delete their records, all or none, as one deed with one undo',
      largeBody: true,
      body: charactersBulk,
      answer: bulkAnswer,
    },
    ({ ctx, caller, body }) => changeCharactersInBulk(ctx, caller, body.ids, body.deed),
  ),
  route(
    {
      method: 'delete',
      path: '/admin/verified-codes/:id',
      access: 'guild',
      summary: 'Delete a verification record; the key stays',
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
      summary: 'Verify a character by hand; makes its key',
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
    ({ ctx, caller, body }) => setAccessRevoked(ctx, caller, body.character_name, true),
  ),
  route(
    {
      method: 'post',
      path: '/admin/restore-character-access',
      access: 'guild',
      summary: "Enable a character's revoked key again",
      body: characterInput,
      answer: noAnswer,
    },
    ({ ctx, caller, body }) => setAccessRevoked(ctx, caller, body.character_name, false),
  ),
  route(
    { method: 'post', path: '/admin/ban-character', access: 'guild', summary: 'Ban a character', body: characterInput, answer: noAnswer },
    ({ ctx, caller, body }) => banCharacter(ctx, caller, body.character_name),
  ),
  route(
    { method: 'post', path: '/admin/unban-character', access: 'guild', summary: 'End a ban', body: characterInput, answer: noAnswer },
    ({ ctx, caller, body }) => unbanCharacter(ctx, caller, body.character_name),
  ),
];
