import { z } from 'zod';
import { respawnWithClaims } from '../../shared/schemas/respawn.ts';
import { ASKED_AGAIN } from '../http/etag.ts';
import { type Route, route, SENT } from '../http/route.ts';
import { writtenOnce } from '../http/written-snapshot.ts';
import type { TakenSnapshot } from '../live/kept-board.ts';
import { takeSnapshot } from '../live/snapshot.ts';
import { writeRespawns } from './board.ts';

const sendRespawns = writtenOnce(writeRespawns);

/** The clock moves with every write and with nothing else, so within one database's history it alone tells. */
const tagOf = ({ epoch, clock }: Pick<TakenSnapshot, 'epoch' | 'clock'>): string => `W/"${epoch}-${clock}"`;

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
      etag: ({ bus }) => tagOf({ epoch: bus.epoch, clock: bus.clock() }),
    },
    async ({ ctx, req, res }) => {
      const taken = await takeSnapshot(ctx, 'members');
      res.set({ 'Cache-Control': ASKED_AGAIN, ETag: tagOf(taken) });
      await sendRespawns(req, res, taken);
      return SENT;
    },
  ),
];
