import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { type ClaimTime, hoursOver } from '../../../../shared/rules/claim-time.ts';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { lengthOf, type StretchLimits, whatIsLeft } from '../../../../shared/rules/stretch.ts';
import { assertMayWait, type WaitFacts } from '../../../../shared/rules/waits.ts';
import { occupiedOn } from '../../../lib/occupied.ts';
import type { BoardState } from '../../../state/board-store.ts';
import { claimTimeNow } from '../../../state/permissions.ts';
import { type RuleRefusal, refusalOf, respawnRefusal } from '../draft/refusal-of.ts';
import type { Claimant } from '../draft/submission-body.ts';
import { claimantsNow } from '../in-place/claimants.ts';
import { isBusy, type Spot, standingOf } from '../in-place/standing.ts';

/** What bounds the hours that can be waited for: the voucher, and what is over. Whose they are does not. */
export interface WaitStanding {
  limits: StretchLimits;
  facts: WaitFacts;
}

/** What the board says of a claimant who would wait on a date. */
export function waitStandingOf(board: BoardState, { respawn_id, date }: Spot, claimant: Claimant, time: ClaimTime): WaitStanding {
  const standing = standingOf(board, date, claimant, time);
  const settings = board.byKind.config.get(CONFIG_ID);
  const name = nameKey(claimant.character_name);
  const own: WaitFacts['own'][number][] = [];
  let in_line = 0;
  let in_all = 0;
  for (const line of board.waitsByRespawn.values()) {
    for (const wait of line) {
      in_all += 1;
      if (wait.respawn_id === respawn_id && wait.date === date) in_line += 1;
      if (nameKey(wait.character_name) === name) own.push(wait);
    }
  }
  const claims = (board.claimsByRespawn.get(respawn_id) ?? []).filter(
    (claim) => (claim.date ?? date) === date && !claim.is_secondary_claim,
  );
  const taken = [...claims, ...occupiedOn(board.occupiedByRespawn.get(respawn_id), date)].filter(
    ({ character_name }) => nameKey(character_name) !== name,
  );
  return {
    limits: { voucher: standing.voucher, taken: [], over: hoursOver(date, { ...time, may_enter_past: false }) },
    facts: {
      ...time,
      waits_enabled: settings?.waits_enabled ?? 0,
      submission_enabled: settings?.submission_enabled ?? 0,
      active_event: standing.event,
      voucher: standing.voucher,
      character_name: claimant.character_name,
      taken,
      own,
      has_claim: isBusy(standing),
      in_line,
      // The server keeps count.
      ended: 0,
      in_all,
    },
  };
}

/** R9.1 to R9.4: why the server would refuse a wait, by its own rules. */
export function waitRefusal(
  board: BoardState,
  spot: Spot,
  hours: HourRange,
  min_hours: number,
  { facts }: WaitStanding,
): RuleRefusal | null {
  return (
    respawnRefusal(board.byKind.respawn.get(spot.respawn_id)) ?? refusalOf(() => assertMayWait({ ...spot, ...hours, min_hours }, facts))
  );
}

/** R9.40: what is proposed of hours that somebody holds: as many as the voucher lasts, from the first that is not over. */
export const proposedOf = (asked: HourRange, { limits }: WaitStanding): HourRange | null => whatIsLeft(asked, limits);

/** R9.41: the fewest hours worth an offer stay within what is waited for. */
export const minWithin = (min_hours: number, hours: HourRange): number => Math.min(min_hours, lengthOf(hours));

/** The first character here who may wait for these hours; where none may, the first of all, who is told why. */
export function waiterFor(board: BoardState, spot: Spot, asked: HourRange): Claimant | null {
  const claimants = claimantsNow();
  const may = claimants.find((claimant) => {
    const standing = waitStandingOf(board, spot, claimant, claimTimeNow(false));
    const hours = proposedOf(asked, standing);
    return hours !== null && waitRefusal(board, spot, hours, 1, standing) === null;
  });
  return may ?? claimants[0] ?? null;
}
