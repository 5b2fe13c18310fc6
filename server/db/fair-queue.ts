/** On whose behalf an item waits: turns go round the groups, and within a group round its members. */
interface QueueCaller {
  /** Such as a network address; null: the server itself, whose items are never dropped. */
  group: string | null;
  member?: string;
}

/** A queue that serves callers in turn, one item each, so that a caller with hundreds of items delays mostly its own. */
export interface FairQueue<T> {
  add: (caller: QueueCaller, item: T) => void;
  /** Removes the next item that is ready; null if none is. */
  next: (isReady?: (item: T) => boolean) => T | null;
  /** Removes the newest item of the caller with most items; null if all are the server's own. */
  newestOfGreediest: () => T | null;
  /** Removes all items for which this holds, in no particular order. */
  takeWhere: (matches: (item: T) => boolean) => T[];
  /** How many items are served before this caller's, if each member has one; before a new one, if the caller has none. */
  turnsBefore: (caller: QueueCaller) => number;
  size: () => number;
  /** Number of groups with an item. */
  groups: () => number;
  itemsOf: (caller: QueueCaller) => readonly T[];
  /** Number of members of a group with an item. */
  membersOf: (group: string | null) => number;
}

interface Numbered<T> {
  /** Rises with each item added. */
  number: number;
  item: T;
}
type Members<T> = Map<string, Numbered<T>[]>;

/** The items of a member of a group. */
interface Share<T> {
  group: string | null;
  members: Members<T>;
  member: string;
  items: Numbered<T>[];
}

interface Weight {
  items: number;
  /** The number of the newest item. */
  newest: number;
}

function weigh(lists: Iterable<readonly Numbered<unknown>[]>): Weight {
  const numbers = [...lists].flat().map(({ number }) => number);
  return { items: numbers.length, newest: Math.max(...numbers) };
}

/** The heaviest first; of equals, the one with the newest item. */
const byWeight = (one: Weight, other: Weight): number =>
  other.items - one.items || other.newest - one.newest;

export function createFairQueue<T>(): FairQueue<T> {
  /** Groups in the order of their turns, their members in the order of theirs; none without an item. */
  const round = new Map<string | null, Members<T>>();
  let size = 0;
  let number = 0;

  const dropIfEmpty = ({ group, members, member, items }: Share<T>): void => {
    if (items.length === 0) members.delete(member);
    if (members.size === 0) round.delete(group);
  };

  /** Moves a served caller to the end of the round, and of its group. */
  const toTheEnd = (share: Share<T>): void => {
    const { group, members, member, items } = share;
    members.delete(member);
    members.set(member, items);
    round.delete(group);
    round.set(group, members);
    dropIfEmpty(share);
  };

  return {
    add: ({ group, member = '' }, item) => {
      number += 1;
      size += 1;
      const members: Members<T> = round.get(group) ?? new Map();
      round.set(group, members);
      const items = members.get(member);
      if (items) items.push({ number, item });
      else members.set(member, [{ number, item }]);
    },
    next: (isReady = () => true) => {
      for (const [group, members] of round) {
        for (const [member, items] of members) {
          const [first] = items;
          if (!first || !isReady(first.item)) continue;
          items.shift();
          size -= 1;
          toTheEnd({ group, members, member, items });
          return first.item;
        }
      }
      return null;
    },
    newestOfGreediest: () => {
      const groups = [...round].filter(([group]) => group !== null);
      const [heaviest] = groups
        .map(([group, members]) => ({ group, members, ...weigh(members.values()) }))
        .sort(byWeight);
      if (!heaviest) return null;
      const { group, members } = heaviest;
      const [greediest] = [...members]
        .map(([member, list]) => ({ member, list, ...weigh([list]) }))
        .sort(byWeight);
      const last = greediest?.list.pop();
      if (!greediest || !last) return null;
      size -= 1;
      dropIfEmpty({ group, members, member: greediest.member, items: greediest.list });
      return last.item;
    },
    takeWhere: (matches) => {
      const taken: T[] = [];
      for (const [group, members] of round) {
        for (const [member, items] of members) {
          const left: Numbered<T>[] = [];
          for (const each of items) {
            if (matches(each.item)) taken.push(each.item);
            else left.push(each);
          }
          members.set(member, left);
          dropIfEmpty({ group, members, member, items: left });
        }
      }
      size -= taken.length;
      return taken;
    },
    turnsBefore: ({ group, member = '' }) => {
      const own = [...(round.get(group)?.keys() ?? [])];
      const rank = own.includes(member) ? own.indexOf(member) : own.length;
      let turns = rank;
      let isPast = false;
      for (const [other, members] of round) {
        if (other === group) isPast = true;
        else turns += Math.min(members.size, isPast ? rank : rank + 1);
      }
      return turns;
    },
    size: () => size,
    itemsOf: ({ group, member = '' }) =>
      (round.get(group)?.get(member) ?? []).map(({ item }) => item),
    groups: () => round.size,
    membersOf: (group) => round.get(group)?.size ?? 0,
  };
}
