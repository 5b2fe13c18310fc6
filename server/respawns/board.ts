import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { claimOnRespawns } from '../../shared/rules/claim-parts.ts';
import type { RespawnWithClaims } from '../../shared/schemas/respawn.ts';
import { claimRow } from '../claims/queries.ts';
import type { Context } from '../context.ts';
import { type TakenSnapshot, takeSnapshot } from '../live/snapshot.ts';

const gzipped = promisify(gzip);

/** The board as GET /respawns sends it. */
interface Body {
  plain: Buffer;
  /** Made when first asked for. */
  gzip: Promise<Buffer> | null;
}
/** One a snapshot, and so one a clock: however many ask after a change, it is written and compressed once. */
const bodies = new WeakMap<TakenSnapshot, Body>();

/** Answers the board; a 304 without asking the database, where the one that the asker holds is still the newest. */
export async function answerBoard(ctx: Context, req: Request, res: Response): Promise<void> {
  // The clock moves with every write and with nothing else, so within one database's history it alone tells.
  const etag = (clock: number): string => `W/"${ctx.bus.epoch}-${clock}"`;
  res.set('Cache-Control', 'private, no-cache');
  if (req.get('if-none-match') === etag(ctx.bus.clock())) {
    res.status(304).end();
    return;
  }
  const taken = await takeSnapshot(ctx, 'members');
  res.set('ETag', etag(taken.clock)).vary('Accept-Encoding').type('json');
  const body = bodies.get(taken) ?? { plain: Buffer.from(JSON.stringify(respawnsWithClaims(taken))), gzip: null };
  bodies.set(taken, body);
  if (req.acceptsEncodings('gzip') !== 'gzip') {
    res.send(body.plain);
    return;
  }
  body.gzip ??= gzipped(body.plain);
  const compressed = await body.gzip;
  res.set('Content-Encoding', 'gzip').send(compressed);
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
