import { hashKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { Claim, ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import {
  getCharacterClaims,
  getCharacterDates,
  getOtherRespawnClaims,
  getRespawnClaims,
} from '../../../api/calls.ts';
import { useServerQueries, useSettled } from '../../../api/query.ts';
import { byHour, claimKey } from '../../../lib/claims.ts';
import { compareText } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import {
  boardClaimsIn,
  type DatedClaim,
  type HeldClaim,
  type Taken,
  takenElsewhere,
  takenIn,
} from './check.ts';
import type { Period } from './draft.ts';

export type Loaded<T> =
  | { status: 'loading' }
  | { status: 'ready'; value: T }
  | { status: 'failed' };

interface Questions<Q, T> {
  questions: readonly Q[];
  keyOf: (question: Q) => readonly unknown[];
  load: (question: Q, signal: AbortSignal) => Promise<T>;
  /** Wait until the questions have not changed for this long. */
  pauseMs: number;
  /** A new request is sent when this changes. The previous answer is used until the new one arrives. */
  versionOf: (question: Q) => string;
}

interface Answers<Q, T> {
  of: (question: Q) => Loaded<T>;
  askAgain: () => void;
}

/** Asks the server some questions, and again when the board has news about them. */
function useAnswers<Q, T>({
  questions,
  keyOf,
  load,
  pauseMs,
  versionOf,
}: Questions<Q, T>): Answers<Q, T> {
  const unique = [...new Map(questions.map((question) => [hashKey(keyOf(question)), question]))];
  const wanted = JSON.stringify(unique.map(([hash, question]) => [hash, versionOf(question)]));
  const settledQueries = useSettled(wanted, pauseMs, '[]');
  const requested = new Set(JSON.parse(settledQueries).map(([hash]: [string, string]) => hash));
  const results = useServerQueries<{ version: string; value: T }>(
    unique.map(([hash, question]) => ({
      queryKey: keyOf(question),
      queryFn: async ({ signal }) => ({
        version: versionOf(question),
        value: await load(question, signal),
      }),
      enabled: requested.has(hash),
      gcTime: 0,
    })),
  );
  const indexOf = (question: Q): number =>
    unique.findIndex(([hash]) => hash === hashKey(keyOf(question)));

  const retry = useEffectEvent(() => {
    for (const { isError, refetch } of results) if (isError) void refetch();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other questions are the occasion to retry those that failed
  useEffect(retry, [settledQueries]);
  useEffect(() => {
    if (settledQueries !== wanted) return;
    unique.forEach(([, question], i) => {
      const result = results[i];
      if (result?.isSuccess && !result.isFetching && result.data.version !== versionOf(question))
        void result.refetch();
    });
  });

  return {
    of: (question) => {
      const result = results[indexOf(question)];
      if (result?.isSuccess) return { status: 'ready', value: result.data.value };
      // Keep showing the failure during the retry.
      return result && result.errorUpdateCount > 0 ? { status: 'failed' } : { status: 'loading' };
    },
    askAgain: () => {
      for (const { refetch } of results) void refetch();
    },
  };
}

export interface SpotPeriod {
  respawn_id: number;
  period: Period;
}

export interface Availability {
  claimsIn: (respawn_id: number | null, period: Period) => DatedClaim[];
  /** The hours that others, or the submitter, occupy there. */
  takenIn: (respawn_id: number | null, period: Period) => Taken[];
  stateOf: (respawn_id: number | null, period: Period) => Loaded<unknown>['status'];
  askAgain: () => void;
}

/** Debounce: changes often arrive several at once. */
const SETTLE_MS = 50;
const NO_CLAIMS: readonly ClaimOnRespawn[] = [];
const NO_HOURS: readonly OccupiedHours[] = [];

/**
 * The claims on some places, requested from the server per date and again whenever the board changes there. The board has all claims of
 * a single_claim event, so only those of other events are requested.
 */
export function useAvailability(spotPeriods: readonly SpotPeriod[]): Availability {
  const ids = [...new Set(spotPeriods.map((place) => place.respawn_id))];
  const onBoard = useBoard(
    useShallow((board) => ids.map((id) => board.claimsByRespawn.get(id) ?? NO_CLAIMS)),
  );
  const elsewhere = useBoard(
    useShallow((board) => ids.map((id) => board.occupiedByRespawn.get(id) ?? NO_HOURS)),
  );
  const events = useBoard((board) => board.byKind.event);
  const boardOf = (respawn_id: number): readonly ClaimOnRespawn[] =>
    onBoard[ids.indexOf(respawn_id)] ?? NO_CLAIMS;
  const elsewhereOf = (respawn_id: number): readonly OccupiedHours[] =>
    elsewhere[ids.indexOf(respawn_id)] ?? NO_HOURS;
  const answers = useAnswers({
    questions: spotPeriods,
    keyOf: ({ respawn_id, period }: SpotPeriod) => ['respawn-claims', respawn_id, period],
    load: loadClaims,
    pauseMs: SETTLE_MS,
    versionOf: ({ respawn_id, period }) => {
      const claims = period.event_id === null ? boardOf(respawn_id) : NO_CLAIMS;
      const rows = claims.map((claim) => [
        claimKey(claim),
        claim.date,
        claim.hour_start,
        claim.hour_end,
        claim.character_name,
      ]);
      return JSON.stringify([rows, elsewhereOf(respawn_id)]);
    },
  });
  const claimsIn = (respawn_id: number | null, period: Period): DatedClaim[] => {
    if (respawn_id === null) return [];
    const answer = answers.of({ respawn_id, period });
    return mergeClaims(
      answer.status === 'ready' ? answer.value : [],
      boardClaimsIn(period, boardOf(respawn_id), events),
    );
  };
  return {
    claimsIn,
    // Hours of another event may be known twice: the board hears of a change at once.
    takenIn: (respawn_id, period) => [
      ...takenIn(period, claimsIn(respawn_id, period)),
      ...(respawn_id === null ? [] : takenElsewhere(period, elsewhereOf(respawn_id))),
    ],
    stateOf: (respawn_id, period) =>
      respawn_id === null ? 'ready' : answers.of({ respawn_id, period }).status,
    askAgain: answers.askAgain,
  };
}

async function loadClaims(
  { respawn_id, period }: SpotPeriod,
  signal: AbortSignal,
): Promise<DatedClaim[]> {
  const { first, last, event_id } = period;
  if (event_id !== null)
    return getOtherRespawnClaims(
      respawn_id,
      { from: first, to: last, except_event: event_id },
      signal,
    );
  const claims = await getRespawnClaims(respawn_id, first, signal);
  return claims.map((claim) => ({ ...claim, first_date: first, last_date: last }));
}

/** The server knows the claims of every event, the board learns of a new one at once: where both have a claim, the board's is newer. */
export function mergeClaims(
  answered: readonly DatedClaim[],
  onBoard: readonly DatedClaim[],
): DatedClaim[] {
  const known = new Map<string, DatedClaim>();
  for (const claim of [...answered, ...onBoard]) known.set(claimKey(claim), claim);
  return [...known.values()].sort(
    (a, b) => compareText(a.first_date, b.first_date) || byHour(a, b),
  );
}

/** While an answer is open, the submitter's hours are most likely those of the submission itself. */
export const takenByOthers = (taken: readonly Taken[], character_name: string): Taken[] =>
  taken.filter((range) => nameKey(range.character_name) !== nameKey(character_name));

/** Section 9 of the specification. */
const CHECK_PAUSE_MS = 300;

export interface HeldClaims {
  in: (period: Period) => Loaded<HeldClaim[]>;
  askAgain: () => void;
}

const ofCharacter = (claims: { values: () => Iterable<Claim> }, name: string): Claim[] =>
  [...claims.values()].filter((claim) => nameKey(claim.character_name) === name);

/**
 * A character's claims on some dates (R4.6). The claims of a whole event are one call.
 * @param respawn_id the chosen spot, which the check names; null: none is chosen
 */
export function useHeldClaims(
  character_name: string,
  respawn_id: number | null,
  periods: readonly Period[],
): HeldClaims {
  const name = nameKey(character_name);
  const onBoard = useBoard(useShallow((board) => ofCharacter(board.byKind.claim, name)));
  // Part of the version, not the key: the claims known for another spot are shown until the answer arrives.
  const version = JSON.stringify([respawn_id, onBoard]);
  const answers = useAnswers({
    questions: name ? periods : [],
    keyOf: ({ first, last }: Period) => ['character-claims', name, first, last],
    load: async ({ first, last }, signal): Promise<HeldClaim[]> => {
      if (first !== last)
        return getCharacterDates(character_name, { from: first, to: last }, signal);
      const { claimsForDate } = await getCharacterClaims(character_name, first, respawn_id, signal);
      // A character with a hold on a date has no other claim there; whole events have no waitlist.
      const hold = ofCharacter(useBoard.getState().byKind.claim, name).find(
        (claim) => claim.is_held && claim.date === first,
      );
      return claimsForDate.map((claim) => ({
        ...claim,
        first_date: first,
        last_date: last,
        held_for: hold?.character_name,
      }));
    },
    pauseMs: CHECK_PAUSE_MS,
    versionOf: () => version,
  });
  return { in: answers.of, askAgain: answers.askAgain };
}
