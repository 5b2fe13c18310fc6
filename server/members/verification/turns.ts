/** A name that nobody asked for within this time, in milliseconds, leaves the queue: its browser was closed. */
const ASKED_WITHIN_MS = 15_000;
/** What the queue holds at most; whoever finds it full is told to wait, and asks again. */
export const MAX_ADDRESSES = 1_000;
export const MAX_NAMES_OF_ADDRESS = 50;

interface Waiting {
  name: string;
  asked_at: number;
}

/**
 * Whose turn it is: turns go round the addresses that ask, and within an address round its names. So a visitor with
 * a hundred invented names delays only their own address.
 */
export interface Turns {
  /** An address asks for a name at a time (in milliseconds): it keeps its place in the queue, or gets the last one. */
  ask: (address: string, key: string, name: string, at: number) => void;
  /** The next turn of a name that is still being asked for. It is not asked for any more then, by any address. */
  next: (at: number) => { key: string; name: string } | null;
  /** How many turns come before that of an address's name. */
  before: (address: string, key: string) => number;
}

export function createTurns(): Turns {
  /** Addresses in the order of their turns, each with its names in the order of theirs. */
  const queue = new Map<string, Map<string, Waiting>>();

  const leave = (address: string, names: Map<string, Waiting>, key: string): void => {
    names.delete(key);
    if (names.size === 0) queue.delete(address);
  };

  const dropWhoHasGone = (at: number): void => {
    for (const [address, names] of queue) {
      for (const [key, { asked_at }] of names) {
        // A time that is yet to come: the clock was set back.
        if (asked_at > at || at - asked_at > ASKED_WITHIN_MS) leave(address, names, key);
      }
    }
  };

  return {
    ask: (address, key, name, at) => {
      if (!queue.has(address) && queue.size >= MAX_ADDRESSES) dropWhoHasGone(at);
      if (!queue.has(address) && queue.size >= MAX_ADDRESSES) return;
      const names = queue.get(address) ?? new Map<string, Waiting>();
      queue.set(address, names);
      if (!names.has(key) && names.size >= MAX_NAMES_OF_ADDRESS) return;
      names.set(key, { name, asked_at: at });
    },
    next: (at) => {
      dropWhoHasGone(at);
      for (const [address, names] of queue) {
        for (const [key, { name }] of names) {
          // Behind the others, if it has more names.
          queue.delete(address);
          queue.set(address, names);
          for (const [other, theirs] of queue) leave(other, theirs, key);
          return { key, name };
        }
      }
      return null;
    },
    before: (address, key) => {
      const own = [...(queue.get(address)?.keys() ?? [])];
      const rank = own.includes(key) ? own.indexOf(key) : own.length;
      let turns = rank;
      let isPast = false;
      for (const [other, names] of queue) {
        if (other === address) isPast = true;
        else turns += Math.min(names.size, isPast ? rank : rank + 1);
      }
      return turns;
    },
  };
}
