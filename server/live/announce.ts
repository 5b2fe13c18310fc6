import type { JobBell } from '../jobs/bell.ts';
import type { ChangeBus } from './bus.ts';
import type { StoredChangeSet } from './change-log.ts';

/**
 * Tells those on this server what was just committed here; a tool, on which nobody listens, tells nobody.
 * @param due when the jobs are due that were stored with it
 * @returns what is to be waited for before whoever wrote is answered; mostly nothing, so that those that share a commit are answered in their order
 */
export type Announce = (set: StoredChangeSet, due: readonly string[]) => Promise<void> | null;

export function announceBy(bus: Pick<ChangeBus, 'clock' | 'offer' | 'reached'>, jobs: Pick<JobBell, 'ring'>): Announce {
  return (set, due) => {
    bus.offer(set);
    for (const at of due) jobs.ring(at);
    // Another server wrote in between: whoever is answered now reads what they wrote, and whose key it ended is refused, all the same.
    return bus.clock() < set.clock ? bus.reached(set.clock) : null;
  };
}
