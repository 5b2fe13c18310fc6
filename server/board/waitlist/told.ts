import type { HourRange } from '../../../shared/rules/hours.ts';
import type { ActivityDetails } from '../../../shared/schemas/activity-details.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import type { Tx } from '../../db/open.ts';
import { findPlaces } from '../records/respawns.ts';

type ToldWait = ActivityDetails<'wait_voided'>;
export interface Told {
  wait: ToldWait;
  /** The same with the hours that are, or were, held for it. */
  hold: ActivityDetails<'hold_lapsed'> | null;
}

/** What entries tell of waits, in their order. */
export async function toldOf(tx: Tx, waits: readonly Wait[], holds: readonly Claim[]): Promise<Told[]> {
  const places = await findPlaces(tx, new Set(waits.map(({ respawn_id }) => respawn_id)));
  const held = new Map(holds.map((claim) => [claim.id, claim]));
  return waits.map(({ id, character_name, member_type, date, respawn_id, hour_start, hour_end, held_claim_id }) => {
    const at = ({ hour_start, hour_end }: HourRange) => [
      { respawn_id, respawn_name: places.get(respawn_id)?.name ?? '', hour_start, hour_end },
    ];
    const claim = held_claim_id === null ? undefined : held.get(held_claim_id);
    const wait = { wait_id: id, character_name, member_type, date, places: at({ hour_start, hour_end }) };
    return { wait, hold: claim ? { ...wait, claim_id: claim.id, places: at(claim) } : null };
  });
}

/** The entries of what was held. */
export const deedsOf = (told: readonly Told[]): { details: ActivityDetails<'hold_lapsed'> }[] =>
  told.flatMap(({ hold }) => (hold ? [{ details: hold }] : []));
