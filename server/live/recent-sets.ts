import type { StoredChangeSet } from '../db/change-set.ts';
import type { ChangeBus } from './bus.ts';

/** Change sets a watcher is sent to catch up, and how long they may be; one that lacks more gets a snapshot, which is then the smaller answer. */
export const MAX_CATCH_UP = 500;
export const MAX_CATCH_UP_LENGTH = 1_000_000;

/** The newest change sets that were handed out, in memory: as many as are sent to whoever lacks them. */
export interface RecentSets {
  /** Those after a clock; null where it is further back than they reach. */
  since: (clock: number) => readonly StoredChangeSet[] | null;
}

export function keepRecentSets(bus: Pick<ChangeBus, 'clock' | 'listen' | 'onNewHistory'>): RecentSets {
  let recent: { set: StoredChangeSet; length: number }[] = [];
  let length = 0;
  const forget = (): void => {
    recent = [];
    length = 0;
  };
  bus.listen((set) => {
    if (recent.at(-1)?.set.clock !== set.clock - 1) forget();
    const one = { set, length: JSON.stringify(set.changes).length };
    recent.push(one);
    length += one.length;
    while (recent.length > MAX_CATCH_UP || length > MAX_CATCH_UP_LENGTH) length -= recent.shift()?.length ?? 0;
  });
  bus.onNewHistory(forget);
  return {
    since: (clock) => {
      const first = recent[0]?.set.clock;
      if (first === undefined || clock + 1 < first || recent.at(-1)?.set.clock !== bus.clock()) return null;
      return recent.slice(clock + 1 - first).map(({ set }) => set);
    },
  };
}
