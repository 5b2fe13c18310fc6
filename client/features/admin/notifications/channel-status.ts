import type { Destination } from '../../../../shared/schemas/destination.ts';

/** `switchedOff`: by the server, since the receiver is gone or refuses us. `paused`: by an admin. `trying`: the last message failed and will be retried. */
export type ChannelStatus = 'on' | 'trying' | 'paused' | 'switchedOff';

export function statusOf({ switched_off, is_enabled, next_try_at, last_error }: Destination): ChannelStatus {
  if (switched_off !== null) return 'switchedOff';
  if (!is_enabled) return 'paused';
  return next_try_at !== null && last_error !== null ? 'trying' : 'on';
}

/** How many channels the server switched off: each needs an admin. */
export function switchedOffIn(channels: Iterable<Destination>): number {
  let n = 0;
  for (const { switched_off } of channels) if (switched_off !== null) n += 1;
  return n;
}
