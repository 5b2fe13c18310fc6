import { useEffect, useState } from 'react';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { getRespawnClaims } from '../../../../api/calls.ts';
import { byHour } from '../../../../lib/claim-order.ts';
import { useBoard } from '../../../../state/board-store.ts';

export interface DayClaims {
  /** The other claims of that day on that spot, in the order of their hours. */
  others: readonly ClaimOnRespawn[];
  status: 'loading' | 'ready' | 'failed';
}

const NONE: readonly ClaimOnRespawn[] = [];

/**
 * Who else stands where a claim stands, whichever event it belongs to: asked of the server, and again whenever the
 * board changes there. Of a claim that covers a whole event, the board is all that is asked.
 */
export function useDayClaims({ id, respawn_id, date }: ClaimOnRespawn): DayClaims {
  const onBoard = useBoard((board) => board.claimsByRespawn.get(respawn_id) ?? NONE);
  const [answer, setAnswer] = useState<readonly ClaimOnRespawn[] | 'failed' | null>(null);
  // What was answered about another spot says nothing of this one.
  const [about, setAbout] = useState(respawn_id);
  if (about !== respawn_id) {
    setAbout(respawn_id);
    setAnswer(null);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change on the board is a reason to ask anew
  useEffect(() => {
    if (date === null) return;
    const abort = new AbortController();
    getRespawnClaims(respawn_id, date, abort.signal).then(
      (claims) => !abort.signal.aborted && setAnswer(claims),
      () => !abort.signal.aborted && setAnswer('failed'),
    );
    return () => abort.abort();
  }, [respawn_id, date, onBoard]);

  const known = answer === null || answer === 'failed' ? onBoard.filter((claim) => claim.date === date || claim.date === null) : answer;
  const others = known.filter((claim) => claim.id !== id).sort(byHour);
  if (date === null) return { others, status: 'ready' };
  return { others, status: answer === null ? 'loading' : answer === 'failed' ? 'failed' : 'ready' };
}
