import { isHoldOver } from '../../shared/rules/waits.ts';
import type { Wait } from '../../shared/schemas/wait.ts';
import { groupBy } from '../lib/words/order.ts';

type WaitIndex = ReadonlyMap<number, readonly Wait[]>;

const inLine = (a: Wait, b: Wait): number => (a.date === b.date ? a.position - b.position : a.date < b.date ? -1 : 1);
const isSame = (a: readonly Wait[], b: readonly Wait[]): boolean => a.length === b.length && a.every((wait, i) => wait === b[i]);

/**
 * Who waits on each respawn, by date and position. There are few at a time, so all are looked through; the list of a respawn
 * whose waits are as they were stays the same list, and no other card renders.
 */
export function waitsByRespawn(waits: Iterable<Wait>, now: Date, before: WaitIndex = new Map()): WaitIndex {
  const open = [...waits].filter((wait) => !isHoldOver(wait, now)).sort(inLine);
  const index = new Map<number, readonly Wait[]>();
  for (const [id, list] of groupBy(open, (wait) => wait.respawn_id)) {
    const known = before.get(id);
    index.set(id, known && isSame(known, list) ? known : list);
  }
  return index;
}

/** When the next hold is over, an instant in milliseconds; null: none is open. */
export function nextOver(waits: Iterable<Wait>, now: Date): number | null {
  let next: number | null = null;
  for (const { held_until } of waits) {
    const at = held_until === null ? 0 : Date.parse(held_until);
    if (at > now.getTime() && (next === null || at < next)) next = at;
  }
  return next;
}
