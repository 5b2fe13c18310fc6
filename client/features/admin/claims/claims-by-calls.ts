import { useEffect, useMemo } from 'react';
import type { ClaimOnRespawn, ClaimRow } from '../../../../shared/schemas/claim.ts';
import { getAdminClaims, getEventClaims } from '../../../api/admin-calls.ts';
import { useServerQuery } from '../../../api/query.ts';
import { groupBy } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { ClaimIndex } from './claim-groups.ts';

/** As often as the board is polled. */
const RETRY_EVERY_MS = 10_000;

export interface ClaimsFailure {
  sentence: 'eventLoadFailed' | 'loadFailed';
  error: unknown;
}

interface ClaimsByCalls {
  rows: readonly ClaimRow[];
  failures: readonly ClaimsFailure[];
}

/**
 * Section 8 of the specification: "On a failed load of claims the dashboard falls back to all claims, then to an empty list."
 * @param event_id null: the claims from today on
 * @throws the signal's reason once it is aborted
 */
async function readClaims(
  event_id: number | null,
  today: string,
  signal: AbortSignal,
): Promise<ClaimsByCalls> {
  const failures: ClaimsFailure[] = [];
  const orNull = async <T>(
    sentence: ClaimsFailure['sentence'],
    call: Promise<T>,
  ): Promise<T | null> => {
    try {
      return await call;
    } catch (error) {
      signal.throwIfAborted();
      failures.push({ sentence, error });
      return null;
    }
  };
  if (event_id !== null) {
    const rows = await orNull('eventLoadFailed', getEventClaims(event_id, signal));
    if (rows) return { rows, failures };
  }
  const page = event_id === null ? { from: today } : {};
  const all = await orNull('loadFailed', getAdminClaims(page, signal));
  return { rows: all?.records ?? [], failures };
}

interface LoadedClaims {
  /** Those of the event; without one, those from today on. */
  index: ClaimIndex;
  /** All others, if the event's could not be read alone. */
  others: ClaimIndex | null;
  known: { get: (id: number) => object | undefined };
  failures: readonly ClaimsFailure[];
  retry: () => void;
}

const NO_FAILURES: readonly ClaimsFailure[] = [];

/** The claims of the live board. While it is not live, calls answer in its place, again after each change of the polled board. */
export function useLoadedClaims(event_id: number | null, today: string): LoadedClaims {
  const index = useBoard((board) => board.claimsByRespawn);
  const known = useBoard((board) => board.byKind.claim);
  const connection = useBoard((board) => board.connection);
  const isAway = connection === 'polling' || connection === 'offline';
  const { data, refetch } = useServerQuery({
    // With `isAway`, so that what one outage read is not shown at the start of the next.
    queryKey: ['claims by calls', event_id, today, isAway],
    queryFn: ({ signal }) => readClaims(event_id, today, signal),
    enabled: isAway,
    refetchInterval: ({ state }) =>
      connection === 'offline' || state.data?.failures.length ? RETRY_EVERY_MS : false,
    structuralSharing: false,
    gcTime: 0,
  });
  useEffect(() => {
    if (!isAway) return;
    return useBoard.subscribe((board, before) => {
      if (board.clock !== before.clock) void refetch();
    });
  }, [isAway, refetch]);
  const read = isAway ? data : undefined;
  const claims = useMemo(() => {
    if (!read) return { index, known, others: null };
    const isOfEvent = (row: ClaimRow): boolean => event_id === null || row.event_id === event_id;
    return {
      index: byRespawn(read.rows.filter(isOfEvent)),
      others:
        event_id !== null && read.failures.length > 0
          ? byRespawn(read.rows.filter((row) => !isOfEvent(row)))
          : null,
      known: new Map(read.rows.map((row) => [row.id, row])),
    };
  }, [read, event_id, index, known]);
  return { ...claims, failures: read?.failures ?? NO_FAILURES, retry: () => void refetch() };
}

const byRespawn = (rows: readonly ClaimOnRespawn[]): ClaimIndex =>
  groupBy(rows, ({ respawn_id }) => respawn_id);
