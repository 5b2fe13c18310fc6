/** On whose behalf something waits; null for the server itself. */
type Name = string | null;

interface Numbered<T> {
  /** Grows with each that comes. */
  number: number;
  item: T;
}

/**
 * Who is next. Turns go round the askers, one each, so that whoever has hundreds waiting delays mostly their own; the
 * server itself is one asker among them. What one asker wants is served in the order it came.
 */
export interface WriteTurns<T> {
  add: (name: Name, item: T) => void;
  /** Takes out the next; null when none waits. */
  next: () => T | null;
  /** Takes out the last that came of the asker with most waiting; null where all are the server's own. */
  newestOfGreediest: () => T | null;
  /** Takes out all that are so, in no order. */
  takeWhere: (isSo: (item: T) => boolean) => T[];
  size: () => number;
}

export function createWriteTurns<T>(): WriteTurns<T> {
  /** Askers in the order of their turns, none without an item. */
  const round = new Map<Name, Numbered<T>[]>();
  let size = 0;
  let number = 0;

  const keep = (name: Name, items: Numbered<T>[]): void => {
    if (items.length > 0) round.set(name, items);
    else round.delete(name);
  };

  return {
    add: (name, item) => {
      number += 1;
      size += 1;
      const items = round.get(name);
      if (items) items.push({ number, item });
      else round.set(name, [{ number, item }]);
    },
    next: () => {
      for (const [name, items] of round) {
        const first = items.shift();
        // To the end of the round, if there is more.
        round.delete(name);
        keep(name, items);
        if (!first) continue;
        size -= 1;
        return first.item;
      }
      return null;
    },
    newestOfGreediest: () => {
      let name: Name = null;
      let greediest: Numbered<T>[] = [];
      for (const [each, items] of round) {
        const more = items.length - greediest.length || newest(items) - newest(greediest);
        if (each !== null && more > 0) [name, greediest] = [each, items];
      }
      const last = greediest.pop();
      if (!last) return null;
      size -= 1;
      keep(name, greediest);
      return last.item;
    },
    takeWhere: (isSo) => {
      const taken: T[] = [];
      for (const [name, items] of round) {
        const left: Numbered<T>[] = [];
        for (const each of items) {
          if (isSo(each.item)) taken.push(each.item);
          else left.push(each);
        }
        keep(name, left);
      }
      size -= taken.length;
      return taken;
    },
    size: () => size,
  };
}

const newest = (items: readonly Numbered<unknown>[]): number => items.at(-1)?.number ?? 0;
