import type { Publish } from '../db/unit-of-work.ts';
import type { ChangeBus } from './bus.ts';

/** Publishes what this process commits; a tool has no watchers and publishes nothing. */
export function announceBy(bus: Pick<ChangeBus, 'clock' | 'offer' | 'reached'>): Publish {
  return (set) => {
    bus.offer(set);
    // If another server wrote in between, wait for its change sets: the caller then reads its writes, and sees ended keys refused.
    return bus.clock() < set.clock ? bus.reached(set.clock) : null;
  };
}
