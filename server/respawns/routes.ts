import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { claimOnRespawns } from '../../shared/rules/claim-parts.ts';
import { claimRow as claimRowSchema } from '../../shared/schemas/claim.ts';
import { date, idInPath } from '../../shared/schemas/fields.ts';
import { type RespawnWithClaims, respawn, respawnWithClaims } from '../../shared/schemas/respawn.ts';
import { claimRow, claimRows, loadClaims } from '../claims/queries.ts';
import { type Route, route, SENT } from '../http/route.ts';
import { type TakenSnapshot, takeSnapshot } from '../live/snapshot.ts';
import { findRespawns } from './queries.ts';

/** The respawns of a snapshot, each with what stands on it. */
function respawnsWithClaims({ snapshot }: TakenSnapshot): RespawnWithClaims[] {
  const listed = new Map<number, RespawnWithClaims>(snapshot.respawn.map((each) => [each.id, { ...each, claims: [] }]));
  for (const row of snapshot.claim.flatMap(claimOnRespawns)) {
    const respawn = listed.get(row.respawn_id);
    respawn?.claims.push(claimRow(row, respawn));
  }
  return [...listed.values()];
}

export const respawnRoutes: Route[] = [
  route(
    {
      method: 'get',
      path: '/respawns',
      access: 'reader',
      summary: "Respawns that take claims, with the board's claims; If-None-Match spares an unchanged board",
      answer: z.array(respawnWithClaims),
      bare: true,
    },
    async ({ ctx, req, res }) => {
      const etag = (clock: number): string => `W/"${clock}"`;
      res.set('Cache-Control', 'private, no-cache');
      // The clock moves with every write and with nothing else, so it alone tells, without asking the database.
      if (req.get('if-none-match') === etag(ctx.bus.clock())) {
        res.status(304).end();
        return SENT;
      }
      const taken = await takeSnapshot(ctx, 'members');
      res.set('ETag', etag(taken.clock));
      return respawnsWithClaims(taken);
    },
  ),
  route(
    {
      method: 'get',
      path: '/respawns/:id/claims/:date',
      access: 'reader',
      summary: 'Whatever occupies, or waits on, a respawn on a date, in any event',
      params: z.object({ id: idInPath, date }),
      answer: z.array(claimRowSchema),
    },
    async ({ ctx, params }) => {
      const [found] = await findRespawns(ctx.db, { ids: [params.id] });
      if (!found) throw new DomainError('respawn.notFound');
      const claims = await loadClaims(ctx.db, { of: 'respawn-day', respawn_id: params.id, date: params.date });
      return (await claimRows(ctx.db, claims)).filter((row) => row.respawn_id === params.id);
    },
  ),
  route(
    { method: 'get', path: '/admin/respawns', access: 'admin', summary: 'All respawns, disabled ones too', answer: z.array(respawn) },
    ({ ctx }) => findRespawns(ctx.db),
  ),
];
