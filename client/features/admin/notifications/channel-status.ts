import type { Destination } from '../../../../shared/schemas/destination.ts';

/** `disabled`: by the server, since the receiver is gone or refuses us. `paused`: by an admin, or all of them after a restore. `retrying`: the last message failed and will be retried. */
export type ChannelStatus = 'on' | 'retrying' | 'paused' | 'disabled';

/** @param allPaused nothing is sent after a restore */
export function statusOf(
  { switched_off, is_enabled, next_try_at, last_error }: Destination,
  allPaused: boolean,
): ChannelStatus {
  if (switched_off !== null) return 'disabled';
  if (!is_enabled || allPaused) return 'paused';
  return next_try_at !== null && last_error !== null ? 'retrying' : 'on';
}
