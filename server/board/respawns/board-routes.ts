import { z } from 'zod';
import type { Room } from '../../../shared/kinds.ts';
import { respawnWithClaims } from '../../../shared/schemas/respawn.ts';
import { roomOf } from '../../http/caller.ts';
import { REVALIDATE, routeFor, SENT } from '../../http/router.ts';
import type { BoardVersion, ReadModel } from '../../live/read-model.ts';
import { sendOncePrepared } from '../../live/snapshot-response.ts';
import { writeRespawns } from './board.ts';

const route = routeFor<{ readModel: ReadModel }>();

const sendRespawns = sendOncePrepared(writeRespawns);

/**
 * Admins get the same body as members, but an ETag that changes with everything that admins see: a page without a live connection
 * takes a 304 to mean that the lists for admins are unchanged too.
 */
const boardOf = (room: Room): 'members' | 'admins' => (room === 'members' ? 'members' : 'admins');

/** Within an epoch, the clock of the last change that a role sees identifies its board. */
const tagOf = ({ epoch, changed_at }: Pick<BoardVersion, 'epoch' | 'changed_at'>): string => `W/"${epoch}-${changed_at}"`;

export const boardRoutes = [
  route(
    {
      method: 'get',
      path: '/respawns',
      access: 'reader',
      summary: "Respawns that take claims, with the board's claims; If-None-Match spares an unchanged board",
      answer: z.array(respawnWithClaims),
      bare: true,
      // Only the read model knows it without a query.
      etag: ({ readModel }, caller) => {
        const version = readModel.version(boardOf(roomOf(caller)));
        return version ? tagOf(version) : undefined;
      },
    },
    async ({ ctx, caller, req, res }) => {
      // Read before the members' board: the ETag may be older than the body, but never newer.
      const etag = tagOf(await ctx.readModel.snapshot(boardOf(roomOf(caller))));
      const taken = await ctx.readModel.snapshot('members');
      res.set({ 'Cache-Control': REVALIDATE, ETag: etag });
      await sendRespawns(req, res, taken);
      return SENT;
    },
  ),
];
