import type { Destination } from '../../../../shared/schemas/destination.ts';

/**
 * `switchedOff`: by the server, as the other end said that there is nothing any more; `paused`: by an admin. `trying`: its last
 * message failed, and is tried again.
 */
export type DestinationStatus = 'on' | 'trying' | 'paused' | 'switchedOff';

export function statusOf({ switched_off, is_enabled, next_try_at, last_error }: Destination): DestinationStatus {
  if (switched_off !== null) return 'switchedOff';
  if (!is_enabled) return 'paused';
  return next_try_at !== null && last_error !== null ? 'trying' : 'on';
}

/** How many destinations the server switched off: each waits for an admin. */
export function switchedOffIn(destinations: Iterable<Destination>): number {
  let n = 0;
  for (const { switched_off } of destinations) if (switched_off !== null) n += 1;
  return n;
}
