import type { Request, Response } from 'express';
import { claimOnRespawns } from '../../shared/rules/claim-parts.ts';
import type { RespawnWithClaims } from '../../shared/schemas/respawn.ts';
import { claimRow } from '../claims/queries.ts';
import type { Context } from '../context.ts';
import { type TakenSnapshot, takeSnapshot } from '../live/snapshot.ts';
import { writtenOnce } from '../live/written-snapshot.ts';

const sendRespawns = writtenOnce(respawnsWithClaims);

/** Answers the board; a 304 without asking the database, where the one that the asker holds is still the newest. */
export async function answerBoard(ctx: Context, req: Request, res: Response): Promise<void> {
  // The clock moves with every write and with nothing else, so within one database's history it alone tells.
  const etag = (clock: number): string => `W/"${ctx.bus.epoch}-${clock}"`;
  res.set('Cache-Control', 'private, no-cache');
  const newest = etag(ctx.bus.clock());
  if (req.get('if-none-match') === newest) {
    // With what a 200 would say, or a cache in between takes the headers it holds for outdated.
    res.set('ETag', newest).vary('Accept-Encoding').status(304).end();
    return;
  }
  const taken = await takeSnapshot(ctx, 'members');
  res.set('ETag', etag(taken.clock));
  await sendRespawns(req, res, taken);
}

/** The respawns of a snapshot, each with what stands on it. */
function respawnsWithClaims({ snapshot }: TakenSnapshot): RespawnWithClaims[] {
  const listed = new Map<number, RespawnWithClaims>(snapshot.respawn.map((each) => [each.id, { ...each, claims: [] }]));
  for (const row of snapshot.claim.flatMap(claimOnRespawns)) {
    const respawn = listed.get(row.respawn_id);
    respawn?.claims.push(claimRow(row, respawn));
  }
  return [...listed.values()];
}
