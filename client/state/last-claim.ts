import { useEffect, useMemo } from 'react';
import type { HourRange } from '../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import { localStore } from '../lib/storage.ts';
import { type BoardState, useBoard } from './board-store.ts';
import { claimsOfCharacters } from './own-claims.ts';

/** A character's last claim, which one press makes again. */
export interface LastClaim extends HourRange {
  /** The claim's id: later claims have greater ones. */
  id: number;
  respawn_id: number;
}

const PREFIX = 'lastClaim:';

/** The newest of a character's claims; split and secondary claims are left out. */
export function newestOf(claims: readonly ClaimOnRespawn[]): LastClaim | null {
  let newest: ClaimOnRespawn | null = null;
  for (const claim of claims) {
    if (!claim.is_secondary_claim && !claim.is_split_claim && claim.id > (newest?.id ?? 0))
      newest = claim;
  }
  return (
    newest && {
      id: newest.id,
      respawn_id: newest.respawn_id,
      hour_start: newest.hour_start,
      hour_end: newest.hour_end,
    }
  );
}

/** The last claim that this browser has seen of a character; the board may not have it any more. @param who a name's key */
export function keptLastClaim(who: string): LastClaim | null {
  try {
    const { id, respawn_id, hour_start, hour_end }: Partial<LastClaim> = JSON.parse(
      localStore.getItem(PREFIX + who) ?? '{}',
    );
    const isWhole = [id, respawn_id, hour_start, hour_end].every((value) =>
      Number.isInteger(value),
    );
    return isWhole && id && respawn_id && hour_start !== undefined && hour_end
      ? { id, respawn_id, hour_start, hour_end }
      : null;
  } catch {
    return null;
  }
}

/** A character's last claim on the board, else the one that this browser remembers. @param who a name's key */
export const lastClaimOf = (board: BoardState, who: string): LastClaim | null =>
  newestOf(claimsOfCharacters([who], board)) ?? keptLastClaim(who);

/** Stores a character's last claim in place of the one before. @param who a name's key */
export function keepLastClaim(who: string, claim: LastClaim): void {
  if (JSON.stringify(keptLastClaim(who)) !== JSON.stringify(claim))
    localStore.setItem(PREFIX + who, JSON.stringify(claim));
}

/** A character's last claim, live: this browser remembers it from now on. @param who a name's key */
export function useLastClaim(who: string | null): LastClaim | null {
  const newest = useBoard((board) =>
    who ? JSON.stringify(newestOf(claimsOfCharacters([who], board))) : 'null',
  );
  useEffect(() => {
    const claim: LastClaim | null = JSON.parse(newest);
    if (who && claim) keepLastClaim(who, claim);
  }, [who, newest]);
  return useMemo(
    (): LastClaim | null => JSON.parse(newest) ?? (who && keptLastClaim(who)),
    [who, newest],
  );
}
