import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import { getOtherRespawnClaims, getRespawnClaims } from '../../../api/calls.ts';
import { claimKey } from '../../../lib/claim-order.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { Period } from './claim-dates.ts';
import { boardClaimsIn, claimsKnown, type DatedClaim, type Taken, takenElsewhere, takenIn } from './taken.ts';
import { useAnswers } from './use-answers.ts';

/** A respawn on the dates of a claim. */
export interface Place {
  respawn_id: number;
  period: Period;
}

interface Availability {
  claimsIn: (respawn_id: number | null, period: Period) => DatedClaim[];
  /** The hours that others, or the submitter, hold there. */
  takenIn: (respawn_id: number | null, period: Period) => Taken[];
  hasFailed: (respawn_id: number | null, period: Period) => boolean;
  askAgain: () => void;
}

/** Several changes often come at once. */
const SETTLE_MS = 50;
const NONE: readonly ClaimOnRespawn[] = [];
const NOTHING: readonly OccupiedHours[] = [];

/** Another text where something else is known of a respawn. */
const versionOf = (claims: readonly ClaimOnRespawn[], elsewhere: readonly OccupiedHours[]): string =>
  JSON.stringify([claims.map((claim) => [claimKey(claim), claim.date, claim.hour_start, claim.hour_end, claim.character_name]), elsewhere]);

const question = ({ respawn_id, period: { first, last, event_id } }: Place): string => `${respawn_id} ${first} ${last} ${event_id ?? ''}`;
const placeIn = (asked: string): Place => {
  const [respawn_id, first = '', last = '', event_id] = asked.split(' ');
  return { respawn_id: Number(respawn_id), period: { first, last, event_id: event_id ? Number(event_id) : null } };
};

/**
 * Who holds some places. What is claimed on one date is asked of the server, and again whenever the live board changes
 * there. Of a whole event the board knows every claim, so that only those of others are asked for, once and in one call.
 */
export function useAvailability(places: readonly Place[]): Availability {
  const ids = [...new Set(places.map((place) => place.respawn_id))];
  const onBoard = useBoard(useShallow((board) => ids.map((id) => board.claimsByRespawn.get(id) ?? NONE)));
  const elsewhere = useBoard(useShallow((board) => ids.map((id) => board.occupiedByRespawn.get(id) ?? NOTHING)));
  const events = useBoard((board) => board.byKind.event);
  const boardOf = (respawn_id: number): readonly ClaimOnRespawn[] => onBoard[ids.indexOf(respawn_id)] ?? NONE;
  const elsewhereOf = (respawn_id: number): readonly OccupiedHours[] => elsewhere[ids.indexOf(respawn_id)] ?? NOTHING;
  const answers = useAnswers({
    questions: places.map(question),
    load: (asked, signal) => load(placeIn(asked), signal),
    pauseMs: SETTLE_MS,
    again: useMemo(() => [onBoard, elsewhere], [onBoard, elsewhere]),
    versionOf: (asked) => {
      const { respawn_id, period } = placeIn(asked);
      const claims = period.event_id === null ? boardOf(respawn_id) : NONE;
      return versionOf(claims, elsewhereOf(respawn_id));
    },
  });
  const claimsIn = (respawn_id: number | null, period: Period): DatedClaim[] => {
    if (respawn_id === null) return [];
    const answer = answers.of(question({ respawn_id, period }));
    return claimsKnown(answer.status === 'ready' ? answer.value : [], boardClaimsIn(period, boardOf(respawn_id), events));
  };
  return {
    claimsIn,
    // An hour of another event is known twice: by the answer, and by the board, which hears of a change at once.
    takenIn: (respawn_id, period) => [
      ...takenIn(period, claimsIn(respawn_id, period)),
      ...(respawn_id === null ? [] : takenElsewhere(period, elsewhereOf(respawn_id))),
    ],
    hasFailed: (respawn_id, period) => respawn_id !== null && answers.of(question({ respawn_id, period })).status === 'failed',
    askAgain: answers.askAgain,
  };
}

async function load({ respawn_id, period }: Place, signal: AbortSignal): Promise<DatedClaim[]> {
  const { first, last, event_id } = period;
  if (event_id !== null) return getOtherRespawnClaims(respawn_id, { from: first, to: last, except_event: event_id }, signal);
  const claims = await getRespawnClaims(respawn_id, first, signal);
  return claims.map((claim) => ({ ...claim, first_date: first, last_date: last }));
}
