import { type Board, type Change, isKnown } from '../../shared/live.ts';
import { claimOnRespawns } from '../../shared/rules/claim-parts.ts';
import { isHoldOver } from '../../shared/rules/waits.ts';
import type { Claim, ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import { byHour } from '../lib/claim-order.ts';
import { compareText } from '../lib/words/order.ts';
import { serverNow } from './clock.ts';

type Index = ReadonlyMap<number, readonly ClaimOnRespawn[]>;

const inOrder = (a: ClaimOnRespawn, b: ClaimOnRespawn): number => compareText(a.date ?? '', b.date ?? '') || byHour(a, b);

/** What stands on each respawn; hours that were held until before `now` are nobody's any more. */
export function claimsByRespawn(claims: Iterable<Claim>, now = serverNow()): Index {
  const index = new Map<number, ClaimOnRespawn[]>();
  for (const claim of claims) {
    if (isHoldOver(claim, now)) continue;
    for (const row of claimOnRespawns(claim)) {
      const rows = index.get(row.respawn_id);
      if (rows) rows.push(row);
      else index.set(row.respawn_id, [row]);
    }
  }
  for (const rows of index.values()) rows.sort(inOrder);
  return index;
}

/** The index after changes: only the lists of respawns that they touch are made anew, so only their cards render. */
export function updatedClaims(before: Board & { claimsByRespawn: Index }, changes: readonly Change[], now = serverNow()): Index {
  let index: Map<number, readonly ClaimOnRespawn[]> | null = null;
  const edit = (respawn_id: number, rows: (old: readonly ClaimOnRespawn[]) => ClaimOnRespawn[]): void => {
    index ??= new Map(before.claimsByRespawn);
    const next = rows(index.get(respawn_id) ?? []);
    if (next.length > 0) index.set(respawn_id, next.sort(inOrder));
    else index.delete(respawn_id);
  };
  for (const change of changes) {
    if (change.op === 'reset' || change.kind !== 'claim' || !isKnown(change)) continue;
    const id = change.op === 'put' ? change.record.id : change.id;
    const known = before.byKind.claim.get(id);
    for (const row of known ? claimOnRespawns(known) : []) edit(row.respawn_id, (old) => old.filter((other) => other.id !== id));
    for (const row of change.op === 'put' && !isHoldOver(change.record, now) ? claimOnRespawns(change.record) : []) {
      edit(row.respawn_id, (old) => [...old.filter((other) => other.id !== id || other.split_part_number !== row.split_part_number), row]);
    }
  }
  return index ?? before.claimsByRespawn;
}

/** The index without the hours whose hold is over by now; the same one where none is. */
export function withoutOver(before: Index, now: Date): Index {
  let index: Map<number, readonly ClaimOnRespawn[]> | null = null;
  for (const [id, claims] of before) {
    const left = claims.filter((claim) => !isHoldOver(claim, now));
    if (left.length === claims.length) continue;
    index ??= new Map(before);
    if (left.length > 0) index.set(id, left);
    else index.delete(id);
  }
  return index ?? before;
}
