import type { Destination } from '../../../../shared/schemas/destination.ts';

/** `disabled`: by the server, since the receiver is gone or refuses us. `paused`: by an admin. `retrying`: the last message failed and will be retried. */
export type ChannelStatus = 'on' | 'retrying' | 'paused' | 'disabled';

export function statusOf({ switched_off, is_enabled, next_try_at, last_error }: Destination): ChannelStatus {
  if (switched_off !== null) return 'disabled';
  if (!is_enabled) return 'paused';
  return next_try_at !== null && last_error !== null ? 'retrying' : 'on';
}
