/** On whose behalf an item waits; null: the server's. */
type CallerName = string | null;

interface Numbered<T> {
  /** Rises with each item added. */
  number: number;
  item: T;
}

/** A queue that serves callers in turn, one item each, so that a caller with hundreds of items delays mostly its own. */
export interface FairQueue<T> {
  add: (caller: CallerName, item: T) => void;
  /** Removes the next item; null if none waits. */
  next: () => T | null;
  /** Removes the newest item of the caller with most items; null if all are the server's own. */
  newestOfGreediest: () => T | null;
  /** Removes all items for which this holds, in no particular order. */
  takeWhere: (matches: (item: T) => boolean) => T[];
  size: () => number;
}

export function createFairQueue<T>(): FairQueue<T> {
  /** Callers in the order of their turns, none without an item. */
  const round = new Map<CallerName, Numbered<T>[]>();
  let size = 0;
  let number = 0;

  const keep = (caller: CallerName, items: Numbered<T>[]): void => {
    if (items.length > 0) round.set(caller, items);
    else round.delete(caller);
  };

  return {
    add: (caller, item) => {
      number += 1;
      size += 1;
      const items = round.get(caller);
      if (items) items.push({ number, item });
      else round.set(caller, [{ number, item }]);
    },
    next: () => {
      for (const [caller, items] of round) {
        const first = items.shift();
        // Moves to the end of the round if it has more items.
        round.delete(caller);
        keep(caller, items);
        if (!first) continue;
        size -= 1;
        return first.item;
      }
      return null;
    },
    newestOfGreediest: () => {
      let caller: CallerName = null;
      let greediest: Numbered<T>[] = [];
      for (const [each, items] of round) {
        const more = items.length - greediest.length || newest(items) - newest(greediest);
        if (each !== null && more > 0) [caller, greediest] = [each, items];
      }
      const last = greediest.pop();
      if (!last) return null;
      size -= 1;
      keep(caller, greediest);
      return last.item;
    },
    takeWhere: (matches) => {
      const taken: T[] = [];
      for (const [caller, items] of round) {
        const left: Numbered<T>[] = [];
        for (const each of items) {
          if (matches(each.item)) taken.push(each.item);
          else left.push(each);
        }
        keep(caller, left);
      }
      size -= taken.length;
      return taken;
    },
    size: () => size,
  };
}

const newest = (items: readonly Numbered<unknown>[]): number => items.at(-1)?.number ?? 0;
