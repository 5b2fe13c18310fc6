import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { type ClaimTime, hoursOver } from '../../../../shared/rules/claim-time.ts';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { assertNotPaused, type MissedPause } from '../../../../shared/rules/missed-claims.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { StretchLimits } from '../../../../shared/rules/stretch.ts';
import { assertMayWait, type WaitFacts } from '../../../../shared/rules/waits.ts';
import { occupiedOn } from '../../../lib/occupied.ts';
import { type RuleRefusal, refusalOf } from '../../../lib/refusal.ts';
import type { BoardState } from '../../../state/board-store.ts';
import type { Claimant, Spot } from '../../../state/claim-draft.ts';
import { pauseIn } from '../../../state/missed-claims.ts';
import { claimantFacts, hasClaim, respawnRefusal } from '../draft/check.ts';

/** The facts that the rules need about a claimant who would join a waitlist. */
export interface EntryFacts {
  board: BoardState;
  /** The voucher and the hours that are over; an entry may be for taken hours. */
  limits: StretchLimits;
  rules: WaitFacts;
  /** R9.29; null for admins. */
  pause: MissedPause | null;
}

export function entryFacts(
  board: BoardState,
  { respawn_id, date }: Spot,
  claimant: Claimant,
  time: ClaimTime,
): EntryFacts {
  const facts = claimantFacts(board, date, claimant, time);
  const settings = board.byKind.config.get(CONFIG_ID);
  const name = nameKey(claimant.character_name);
  const entries = [...board.waitsByRespawn.values()].flat();
  const claims = (board.claimsByRespawn.get(respawn_id) ?? []).filter(
    (claim) => (claim.date ?? date) === date && !claim.is_secondary_claim,
  );
  return {
    board,
    pause: claimant.access_key === null ? null : pauseIn(board, claimant.character_name),
    limits: {
      voucher: facts.voucher,
      taken: [],
      over: hoursOver(date, { ...time, may_enter_past: false }),
    },
    rules: {
      ...time,
      waits_enabled: settings?.waits_enabled ?? 0,
      submission_enabled: settings?.submission_enabled ?? 0,
      active_event: facts.event,
      voucher: facts.voucher,
      character_name: claimant.character_name,
      taken: [...claims, ...occupiedOn(board.occupiedByRespawn.get(respawn_id), date)].filter(
        (one) => nameKey(one.character_name) !== name,
      ),
      own: entries.filter((entry) => nameKey(entry.character_name) === name),
      has_claim: hasClaim(facts),
      on_waitlist: entries.filter((entry) => entry.respawn_id === respawn_id && entry.date === date)
        .length,
      // Only the server knows the ended ones.
      ended: 0,
      in_all: entries.length,
    },
  };
}

/** R9.1 to R9.4, R9.29: the server's refusal of an entry, by its own rules. */
export const checkEntry = (
  { board, rules, pause }: EntryFacts,
  spot: Spot,
  hours: HourRange,
  min_hours: number,
): RuleRefusal | null =>
  respawnRefusal(board.byKind.respawn.get(spot.respawn_id)) ??
  refusalOf(() => {
    assertNotPaused(pause);
    assertMayWait({ ...spot, ...hours, min_hours }, rules);
  });
