import { useShallow } from 'zustand/react/shallow';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import { getOtherRespawnClaims, getRespawnClaims } from '../../../api/calls.ts';
import { byHour, claimKey } from '../../../lib/claim-order.ts';
import { compareText } from '../../../lib/words/order.ts';
import { useBoard } from '../../../store/board-store.ts';
import type { Period } from '../state/claim-dates.ts';
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
  const events = useBoard((board) => board.byKind.event);
  const boardOf = (respawn_id: number): readonly ClaimOnRespawn[] => onBoard[ids.indexOf(respawn_id)] ?? NONE;
  const answers = useAnswers({
    questions: places.map(question),
    load: (asked, signal) => load(placeIn(asked), signal),
    pauseMs: SETTLE_MS,
    again: onBoard,
    versionOf: (asked) => {
      const { respawn_id, period } = placeIn(asked);
      return period.event_id === null ? boardOf(respawn_id) : null;
    },
  });
  const claimsIn = (respawn_id: number | null, period: Period): DatedClaim[] => {
    if (respawn_id === null) return [];
    const answer = answers.of(question({ respawn_id, period }));
    return claimsKnown(answer.status === 'ready' ? answer.value : [], boardClaimsIn(period, boardOf(respawn_id), events));
  };
  return {
    claimsIn,
    takenIn: (respawn_id, period) => takenIn(period, claimsIn(respawn_id, period)),
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

/** A claim on a respawn, and the dates that it covers. */
export interface DatedClaim extends ClaimOnRespawn {
  first_date: string;
  last_date: string;
}

type Dates = Pick<Period, 'first' | 'last'>;

/** Claims of one respawn that the board holds for some dates; a claim without a date covers its whole event. */
export function boardClaimsIn(
  { first, last }: Dates,
  onRespawn: readonly ClaimOnRespawn[],
  events: { get: (id: number) => Event | undefined },
): DatedClaim[] {
  return onRespawn.flatMap((claim) => {
    const event = claim.event_id === null ? undefined : events.get(claim.event_id);
    const first_date = claim.date ?? (event && eventDate(event.start_time));
    const last_date = claim.date ?? (event && eventDate(event.end_time));
    if (first_date === undefined || last_date === undefined || last_date < first || first_date > last) return [];
    return [{ ...claim, first_date, last_date }];
  });
}

/**
 * What is known of one respawn's dates. The server's answer knows the claims of every event, the board learns of
 * a new claim at once: where both know one, the board's is newer.
 */
export function claimsKnown(answered: readonly DatedClaim[], onBoard: readonly DatedClaim[]): DatedClaim[] {
  const known = new Map<string, DatedClaim>();
  for (const claim of [...answered, ...onBoard]) known.set(claimKey(claim), claim);
  return [...known.values()].sort((a, b) => compareText(a.first_date, b.first_date) || byHour(a, b));
}

export interface Taken extends HourRange {
  /** The first of the dates on which they are. */
  date: string;
  character_name: string;
}

/** The hours that claims hold within some dates: secondary claims occupy nothing (R2.3). */
export function takenIn({ first }: Dates, claims: readonly DatedClaim[]): Taken[] {
  return claims
    .filter((claim) => !claim.is_secondary_claim)
    .map(({ first_date, hour_start, hour_end, character_name }) => {
      return { date: first_date < first ? first : first_date, hour_start, hour_end, character_name };
    });
}

/**
 * Without the hours the submitter holds: while a submission is under way, or its answer was lost, they are most
 * likely this very submission's.
 */
export function takenByOthers(taken: readonly Taken[], character_name: string): Taken[] {
  return taken.filter((range) => nameKey(range.character_name) !== nameKey(character_name));
}
