import type { Operation } from './history.ts';
import { after } from './model.ts';
import { EMPTY, type State, textOf } from './state.ts';

/**
 * Wing and Gong's search with Lowe's memory: whether the calls can be put into one order in which each, done alone and at
 * one moment between its beginning and its answer, would have been answered as it was. A call whose answer was lost may
 * have been done at any moment since it began, or never.
 * @returns null when there is such an order, else the longest prefix of one that was found
 */
export function notLinear(
  history: readonly Operation[],
  begin: State = EMPTY,
): readonly Operation[] | null {
  const operations = [...history].sort((a, b) => a.began - b.began);
  // Configurations that lead nowhere: which calls are done, and what is then stored.
  const seen = new Set<string>();
  let longest: readonly Operation[] = [];

  const search = (done: bigint, order: readonly Operation[], state: State): boolean => {
    if (order.length > longest.length) longest = order;
    const open = operations
      .map((operation, at) => ({ operation, at }))
      .filter(({ at }) => !(done & (1n << BigInt(at))));
    if (open.every(({ operation }) => operation.reply.was === 'lost')) return true;
    const key = `${done} ${textOf(state)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    const firstAnswer = Math.min(...open.map(({ operation }) => operation.answered));
    // A call that started after another was answered comes after it.
    return open
      .filter(({ operation }) => operation.began <= firstAnswer)
      .some(({ operation, at }) => {
        const next = after(state, operation.call, operation.reply);
        return next !== null && search(done | (1n << BigInt(at)), [...order, operation], next);
      });
  };
  return search(0n, [], begin) ? null : longest;
}
