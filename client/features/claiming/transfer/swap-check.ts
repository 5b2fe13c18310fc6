import { useMemo } from 'react';
import { DomainError } from '../../../../shared/errors.ts';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import {
  assertWithinBudget,
  hoursInEvent,
  requestedHours,
} from '../../../../shared/rules/budget.ts';
import { claimOnRespawns } from '../../../../shared/rules/claim-parts.ts';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { rangesOverlap } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { lastOf } from '../../../../shared/rules/submission.ts';
import { namingRecipient, planTransfer } from '../../../../shared/rules/transfer-plan.ts';
import type { Claim, ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { RuleRefusal } from '../../../lib/refusal.ts';
import { groupBy } from '../../../lib/words/order.ts';
import { activeEventIn, type BoardState, useBoard } from '../../../state/board-store.ts';
import { useClaimTime } from '../../../state/claim-time.ts';
import { pauseIn } from '../../../state/missed-claims.ts';
import { currentWhole } from '../../../state/own-claims.ts';
import { hasClaimElsewhere, respawnRefusal } from '../draft/check.ts';

type Time = ReturnType<typeof useClaimTime>;

/** A character who gives one claim and gets another. */
interface Swapper {
  character_name: string;
  member_type: string;
}

/**
 * Why the server would refuse a swap, as far as the board knows: by the rules that it judges offers with (R11.2, R11.3).
 * @returns a function of the claim that is wanted in return; null: nothing is known against it
 */
export function useSwapRefusal(
  own: ClaimOnRespawn,
  viewer: Swapper,
): (theirs: ClaimOnRespawn) => RuleRefusal | null {
  const board = useBoard();
  const time = useClaimTime(false);
  const claimsOf = useMemo(
    () => groupBy(board.byKind.claim.values(), ({ character_name }) => nameKey(character_name)),
    [board.byKind.claim],
  );
  return (theirs) => {
    const given = currentWhole(board, own);
    const wanted = board.byKind.claim.get(theirs.id);
    if (!given || !wanted) return null;
    const to = { character_name: wanted.character_name, member_type: wanted.member_type };
    const facts: Facts = { board, time, claimsOf, given: [given.id, wanted.id] };
    try {
      assertHasNoWaitlist(board, wanted);
      judgeFor(to, given, facts, viewer);
      judgeFor(viewer, wanted, facts, viewer);
      return null;
    } catch (error) {
      if (error instanceof DomainError) return { code: error.code, params: error.params };
      throw error;
    }
  };
}

/** Why a claim can't be offered to any character; null: nothing is known against it. */
export function useOfferRefusal(own: ClaimOnRespawn): RuleRefusal | null {
  const claim = useBoard((board) => currentWhole(board, own));
  const waiting = useBoard((board) => (claim ? countWaiting(board, claim) : 0));
  return waiting === 0 ? null : { code: 'transfer.waitlist', params: { count: waiting } };
}

interface Facts {
  board: BoardState;
  time: Time;
  claimsOf: ReadonlyMap<string, readonly Claim[]>;
  /** Claims that are swapped don't count as held. */
  given: readonly number[];
}

function judgeFor(to: Swapper, claim: Claim, facts: Facts, viewer: Swapper): void {
  try {
    judge(to, claim, facts);
  } catch (error) {
    throw namingRecipient(error, to.character_name, viewer.character_name);
  }
}

function judge(
  { character_name, member_type }: Swapper,
  claim: Claim,
  { board, time, claimsOf, given }: Facts,
): void {
  const { byKind } = board;
  const type = byKind.member_type.get(member_type);
  // Which type takes the place of a deleted one is the server's decision.
  if (!type) return;
  const event = activeEventIn(board);
  const secondaries = (claimsOf.get(nameKey(claim.character_name)) ?? []).filter(
    (one) => one.is_secondary_claim && one.date === claim.date && one.event_id === claim.event_id,
  );
  const submission_enabled = byKind.config.get(CONFIG_ID)?.submission_enabled ?? 1;
  const planned = planTransfer(
    { claim, secondaries },
    { character_name, type },
    { submission_enabled, pause: pauseIn(board, character_name), active_event: event, ...time },
  );
  for (const { respawn_id } of planned.flatMap(({ parts }) => parts)) {
    const refusal = respawnRefusal(byKind.respawn.get(respawn_id));
    if (refusal) throw new DomainError(refusal.code, refusal.params);
  }
  const [first] = planned;
  if (!first) return;
  const isOnDates = ({ date }: Claim): boolean => date === null || first.dates.includes(date);
  const held = (claimsOf.get(nameKey(character_name)) ?? []).filter(
    (one) => !one.is_secondary_claim && !given.includes(one.id) && isOnDates(one),
  );
  if (held.some(({ is_held }) => is_held)) throw new DomainError('hold.isYours');
  const dates = { first: first.dates[0] ?? '', last: lastOf(first) };
  if (
    held.length > 0 ||
    hasClaimElsewhere(byKind.occupancy.values(), nameKey(character_name), dates)
  )
    throw new DomainError('claim.characterHasClaim', { character_name });
  const counted = claim.event_id === null ? null : event;
  const others = (claimsOf.get(nameKey(character_name)) ?? []).filter(
    ({ id }) => !given.includes(id),
  );
  assertWithinBudget(
    requestedHours(planned),
    type,
    counted && { used: hoursInEvent(others, character_name, counted) },
  );
}

function assertHasNoWaitlist(board: BoardState, claim: Claim): void {
  const count = countWaiting(board, claim);
  if (count > 0) throw new DomainError('transfer.waitlist', { count });
}

function countWaiting(board: BoardState, claim: Claim): number {
  const event = claim.date === null ? activeEventIn(board) : null;
  const first = claim.date ?? (event ? eventDate(event.start_time) : '');
  const last = claim.date ?? (event ? eventDate(event.end_time) : '');
  const names = new Set<string>();
  for (const part of claimOnRespawns(claim))
    for (const { date, hour_start, hour_end, character_name } of board.waitsByRespawn.get(
      part.respawn_id,
    ) ?? [])
      if (first <= date && date <= last && rangesOverlap(part, { hour_start, hour_end }))
        names.add(nameKey(character_name));
  return names.size;
}
