import { DomainError } from '../../shared/errors.ts';

/** The queue goes round the addresses, and within an address round its names. */
export interface Asker {
  address: string;
  name: string;
}

export interface HashingBounds {
  /** Hashes under way at once. */
  at_once: number;
  /** Hashes that wait; above it, the oldest of the address with most of them is refused. */
  most_waiting: number;
  /** How long a hash waits before it is refused, in milliseconds. */
  patience_ms: number;
}

interface Waiting {
  begin: () => void;
  refuse: () => void;
}

/** Limits expensive work fairly. A caller has a second hash under way only while no other caller waits. */
export interface HashingQueue {
  /** @throws DomainError request.tooManyTries if it waited too long or too many wait */
  take: <T>(asker: Asker, work: () => Promise<T>) => Promise<T>;
  waiting: () => number;
}

const keyOf = ({ address, name }: Asker): string => JSON.stringify([address, name]);

export function createHashingQueue({ at_once, most_waiting, patience_ms }: HashingBounds): HashingQueue {
  const rounds = new Map<string, Map<string, Waiting[]>>();
  /** Hashes under way, by caller. */
  const busy = new Map<string, number>();
  let underWay = 0;
  let waiting = 0;

  const drop = ({ address, name }: Asker, one: Waiting): void => {
    const names = rounds.get(address);
    const left = names?.get(name)?.filter((each) => each !== one);
    if (!names || !left) return;
    waiting -= 1;
    if (left.length > 0) names.set(name, left);
    else names.delete(name);
    if (names.size === 0) rounds.delete(address);
  };

  const next = (mayBeBusy: boolean): { asker: Asker; one: Waiting } | null => {
    for (const [address, names] of rounds) {
      for (const [name, tries] of names) {
        const asker = { address, name };
        const [one] = tries;
        if (!one || (busy.has(keyOf(asker)) && !mayBeBusy)) continue;
        // Move the address to the end of the round, and the name to the end within it.
        names.delete(name);
        names.set(name, tries);
        rounds.delete(address);
        rounds.set(address, names);
        return { asker, one };
      }
    }
    return null;
  };

  const proceed = (): void => {
    while (underWay < at_once) {
      const turn = next(false) ?? next(true);
      if (!turn) return;
      const key = keyOf(turn.asker);
      busy.set(key, (busy.get(key) ?? 0) + 1);
      underWay += 1;
      turn.one.begin();
    }
  };

  const finished = (asker: Asker): void => {
    const key = keyOf(asker);
    const left = (busy.get(key) ?? 1) - 1;
    if (left > 0) busy.set(key, left);
    else busy.delete(key);
    underWay -= 1;
    proceed();
  };

  const refuseOldestOfMost = (): void => {
    const most = [...rounds.values()].sort((a, b) => countOf(b) - countOf(a))[0];
    const tries = [...(most?.values() ?? [])].sort((a, b) => b.length - a.length)[0];
    tries?.[0]?.refuse();
  };

  return {
    take: (asker, work) =>
      new Promise((resolve, reject) => {
        const one: Waiting = {
          begin: () => {
            clearTimeout(patience);
            drop(asker, one);
            void work()
              .then(resolve, reject)
              .finally(() => finished(asker));
          },
          refuse: () => {
            clearTimeout(patience);
            drop(asker, one);
            reject(new DomainError('request.tooManyTries', { seconds: Math.ceil(patience_ms / 1_000) }));
          },
        };
        const patience = setTimeout(one.refuse, patience_ms).unref();
        const names = rounds.get(asker.address) ?? new Map<string, Waiting[]>();
        rounds.set(asker.address, names);
        names.set(asker.name, [...(names.get(asker.name) ?? []), one]);
        waiting += 1;
        proceed();
        if (waiting > most_waiting) refuseOldestOfMost();
      }),
    waiting: () => waiting,
  };
}

const countOf = (names: ReadonlyMap<string, readonly unknown[]>): number =>
  [...names.values()].reduce((sum, { length }) => sum + length, 0);
