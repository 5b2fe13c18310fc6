import { z } from 'zod';
import { respawnWithClaims } from '../../shared/schemas/respawn.ts';
import { ASKED_AGAIN } from '../http/etag.ts';
import { type Route, route, SENT } from '../http/route.ts';
import { writtenOnce } from '../http/written-snapshot.ts';
import type { TakenSnapshot } from '../live/kept-board.ts';
import { takeSnapshot } from '../live/snapshot.ts';
import { writeRespawns } from './board.ts';

const sendRespawns = writtenOnce(writeRespawns);

/** Within one database's history the clock of the last change that members see tells their boards apart. */
const tagOf = ({ epoch, changed_at }: Pick<TakenSnapshot, 'epoch' | 'changed_at'>): string => `W/"${epoch}-${changed_at}"`;

export const boardRoutes: Route[] = [
  route(
    {
      method: 'get',
      path: '/respawns',
      access: 'reader',
      summary: "Respawns that take claims, with the board's claims; If-None-Match spares an unchanged board",
      answer: z.array(respawnWithClaims),
      bare: true,
      keptReady: true,
      // Only a board in memory knows it without a query.
      etag: ({ bus, boards: { members } }) => (members.board?.epoch === bus.epoch ? tagOf(members.board) : undefined),
    },
    async ({ ctx, req, res }) => {
      const taken = await takeSnapshot(ctx, 'members');
      res.set({ 'Cache-Control': ASKED_AGAIN, ETag: tagOf(taken) });
      await sendRespawns(req, res, taken);
      return SENT;
    },
  ),
];
