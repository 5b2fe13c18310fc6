import { DomainError } from '../../shared/errors.ts';

/** Who asks: turns go round the addresses, and within an address round its names. */
export interface Asker {
  address: string;
  name: string;
}

export interface TurnBounds {
  /** Works at once. */
  at_once: number;
  /** Asked for and not begun; beyond it the oldest of the address that asked for most is refused. */
  most_waiting: number;
  /** How long one waits before it is refused, in milliseconds. */
  patience_ms: number;
}

interface Waiting {
  begin: () => void;
  refuse: () => void;
}

/** Takes turns at work that costs much. One asker has one work under way, and of theirs the newest is next: who asked before may have given up. */
export interface Turns {
  /** @throws DomainError request.tooManyTries for what waited too long, or among too many */
  take: <T>(asker: Asker, work: () => Promise<T>) => Promise<T>;
  /** Begins nothing for this asker before so many milliseconds have passed. */
  rest: (asker: Asker, ms: number) => void;
  waiting: () => number;
}

const keyOf = ({ address, name }: Asker): string => JSON.stringify([address, name]);

export function createTurns({ at_once, most_waiting, patience_ms }: TurnBounds): Turns {
  const rounds = new Map<string, Map<string, Waiting[]>>();
  const busy = new Set<string>();
  const resting = new Set<string>();
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

  const next = (): { asker: Asker; one: Waiting } | null => {
    for (const [address, names] of rounds) {
      for (const [name, tries] of names) {
        const asker = { address, name };
        const one = tries.at(-1);
        if (!one || busy.has(keyOf(asker)) || resting.has(keyOf(asker))) continue;
        // To the end of the round, the name within its address, too.
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
    while (busy.size < at_once) {
      const turn = next();
      if (!turn) return;
      busy.add(keyOf(turn.asker));
      turn.one.begin();
    }
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
              .finally(() => {
                busy.delete(keyOf(asker));
                proceed();
              });
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
    rest: (asker, ms) => {
      const key = keyOf(asker);
      if (resting.has(key)) return;
      resting.add(key);
      setTimeout(() => {
        resting.delete(key);
        proceed();
      }, ms).unref();
    },
    waiting: () => waiting,
  };
}

const countOf = (names: ReadonlyMap<string, readonly unknown[]>): number =>
  [...names.values()].reduce((sum, { length }) => sum + length, 0);
