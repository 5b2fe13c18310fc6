import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import type { EventPeriod } from '../../../shared/rules/event-period.ts';
import type { PlannedClaim } from '../../../shared/rules/submission.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import type { ClaimToCopy, EventCopied } from '../../../shared/schemas/event-copy.ts';
import type { Tx } from '../../db/open.ts';
import { loadClaims } from '../claims/claim-records.ts';
import { findPlaces } from '../respawns/queries.ts';
import type { Judged, JudgedCopy } from './judge-copy.ts';

type Place = Pick<PlannedClaim['parts'][number], 'respawn_id' | 'hour_start' | 'hour_end'>;

/**
 * What is told of a copy.
 * @param event the new one; null for a preview, which tells of each claim that was asked for
 * @param dateOf the date that a claim has in it; null: every one
 */
export async function copiedAnswer(
  tx: Tx,
  event: Event | null,
  { start_time, end_time }: EventPeriod,
  { claims, gone }: JudgedCopy,
  dateOf: (claim: Claim) => string | null,
): Promise<EventCopied> {
  const left = claims.filter(({ refusal }) => refusal !== null);
  const told = event ? left : claims;
  const holders = new Map<number, Claim>();
  for (const claim of await loadClaims(tx, { of: 'ids', ids: [...new Set(told.flatMap((each) => each.holders))] }))
    holders.set(claim.id, claim);
  const spots = [...told.flatMap(placesOf), ...[...holders.values()].flatMap(claimOnRespawns)].map(({ respawn_id }) => respawn_id);
  const places = await findPlaces(tx, new Set(spots));
  const named = ({ respawn_id, hour_start, hour_end }: Place) => ({
    respawn_id,
    respawn_name: places.get(respawn_id)?.name ?? '',
    hour_start,
    hour_end,
  });
  return {
    event,
    start_time,
    end_time,
    copied: claims.length - left.length,
    left_out: left.length,
    gone,
    claims: told.map((judged): ClaimToCopy => {
      const { id, is_secondary_claim, is_split_claim } = judged.of;
      const { character_name, member_type } = judged.planned ?? judged.of;
      return {
        ...{ id, character_name, member_type, is_secondary_claim, is_split_claim },
        date: dateOf(judged.of),
        places: placesOf(judged).map(named),
        refusal: judged.refusal && { code: judged.refusal.code, params: { ...judged.refusal.params } },
        holders: judged.holders.flatMap((holder) => {
          const claim = holders.get(holder);
          if (!claim) return [];
          const { character_name, date, held_until } = claim;
          return claimOnRespawns(claim)
            .map(named)
            .map(({ respawn_id: _, ...place }) => ({ character_name, date, held_until, ...place }));
        }),
      };
    }),
  };
}

const placesOf = ({ of, planned }: Judged): readonly Place[] => planned?.parts ?? claimOnRespawns(of);
