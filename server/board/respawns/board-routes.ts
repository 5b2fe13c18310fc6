import { z } from 'zod';
import type { Room } from '../../../shared/kinds.ts';
import { claimOnRespawns, respawnsOf } from '../../../shared/rules/claim-parts.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Occupancy } from '../../../shared/schemas/occupancy.ts';
import {
  type Respawn,
  type RespawnWithClaims,
  respawnWithClaims,
} from '../../../shared/schemas/respawn.ts';
import { yieldToEventLoop } from '../../db/database.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import { type Reader, roomOf } from '../../http/caller.ts';
import { REVALIDATE, routeFor, SENT } from '../../http/router.ts';
import { writeJsonArray } from '../../live/encoding.ts';
import type { BoardSnapshot, BoardVersion, ReadModel } from '../../live/read-model.ts';
import { type Sending, sendOncePrepared } from '../../live/routes.ts';
import { claimRow } from '../claims/claim-records.ts';

/** The respawns of a snapshot with their claims, as JSON: 2 ms for 1,000 claims. */
async function writeRespawns({ records }: Pick<BoardSnapshot, 'records'>): Promise<string> {
  const claimsBySpot = new Map<number, Claim[]>(records.respawn.map(({ id }) => [id, []]));
  for (const claim of records.claim)
    for (const id of respawnsOf(claim)) claimsBySpot.get(id)?.push(claim);
  const occupied = new Map<number, Occupancy[]>();
  for (const occupancy of records.occupancy) {
    for (const id of new Set(occupancy.parts.map(({ respawn_id }) => respawn_id)))
      occupied.set(id, [...(occupied.get(id) ?? []), occupancy]);
  }
  // Yield in between: with thousands of claims each part takes a while.
  await yieldToEventLoop();
  return writeJsonArray(records.respawn, (respawn) =>
    JSON.stringify(
      withClaims(respawn, claimsBySpot.get(respawn.id) ?? [], occupied.get(respawn.id) ?? []),
    ),
  );
}

function withClaims(
  respawn: Respawn,
  claims: readonly Claim[],
  others: readonly Occupancy[],
): RespawnWithClaims {
  const here = claims
    .flatMap(claimOnRespawns)
    .filter(({ respawn_id }) => respawn_id === respawn.id);
  const occupied = others.flatMap(({ parts, ...occupancy }) =>
    parts
      .filter(({ respawn_id }) => respawn_id === respawn.id)
      .map(({ hour_start, hour_end }) => ({ ...occupancy, hour_start, hour_end })),
  );
  return {
    ...respawn,
    claims: here.map((row) => claimRow(row, respawn)),
    ...(occupied.length > 0 ? { occupied } : {}),
  };
}

export interface BoardContext extends Sending, Writing {
  readModel: ReadModel;
}

const route = routeFor<BoardContext>();

const sendRespawns = sendOncePrepared(writeRespawns);

/**
 * Admins get the same body as members, but an ETag that changes with everything that admins see: a page without a live connection
 * takes a 304 to mean that the lists for admins are unchanged too.
 */
const boardOf = (room: Room): 'members' | 'admins' => (room === 'members' ? 'members' : 'admins');

/**
 * Within an epoch, the clock of the last change that a caller sees identifies their board. A member's own records count, too: a page
 * without a live connection takes a 304 to mean that they are unchanged.
 */
const tagOf = (
  { epoch, changed_at }: Pick<BoardVersion, 'epoch' | 'changed_at'>,
  own_changed_at: number,
): string => `W/"${epoch}-${Math.max(changed_at, own_changed_at)}"`;

const ownChangedAt = (readModel: ReadModel, caller: Reader): number =>
  caller.role === 'member' ? readModel.ownChangedAt(caller.character_key) : 0;

export const boardRoutes = [
  route(
    {
      method: 'get',
      path: '/respawns',
      access: 'reader',
      summary:
        "List enabled respawns with the board's claims; send If-None-Match to skip an unchanged board",
      answer: z.array(respawnWithClaims),
      bare: true,
      // Only the read model knows it without a query.
      etag: ({ readModel }, caller) => {
        const version = readModel.version(boardOf(roomOf(caller)));
        return version ? tagOf(version, ownChangedAt(readModel, caller)) : undefined;
      },
    },
    async ({ ctx, caller, req, res }) => {
      // The versions are read before the boards: the ETag may be older than the body, but never newer.
      const own_changed_at = ownChangedAt(ctx.readModel, caller);
      const etag = tagOf(await ctx.readModel.snapshot(boardOf(roomOf(caller))), own_changed_at);
      const taken = await ctx.readModel.snapshot('members');
      await sendRespawns(
        ctx,
        { req, res, headers: { 'Cache-Control': REVALIDATE, ETag: etag } },
        taken,
      );
      return SENT;
    },
  ),
];
