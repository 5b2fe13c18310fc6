import { DomainError } from '../errors.ts';
import { instantOf, type ServerSaveClock } from './server-save.ts';

/** How long before its start a claim can be confirmed ("I'm here"). */
export const CONFIRM_FROM_MINUTES = 15;

export interface Beginning {
  date: string;
  hour_start: number;
}

/** When a claim can be confirmed: from the first instant until before the second, at which it becomes a no-show. */
export interface ConfirmTime {
  opens_at: Date;
  closes_at: Date;
}

const MINUTE_MS = 60_000;

/**
 * R9.25: from 15 minutes before the start to the guild's minutes after it.
 * @param grace_minutes 0 to 60
 */
export function confirmTime(
  { date, hour_start }: Beginning,
  grace_minutes: number,
  clock: ServerSaveClock,
): ConfirmTime {
  const start = instantOf(date, hour_start, clock).getTime();
  return {
    opens_at: new Date(start - CONFIRM_FROM_MINUTES * MINUTE_MS),
    closes_at: new Date(start + grace_minutes * MINUTE_MS),
  };
}

/** R9.24: whether a part that is claimed now has to be confirmed: one that is claimed later counts as confirmed. */
export const isToConfirm = (part: Beginning, now: Date, clock: ServerSaveClock): boolean =>
  now.getTime() <= confirmTime(part, 0, clock).opens_at.getTime();

/** R9.26: whether a part that was not confirmed is a no-show. */
export const isNoShow = ({ closes_at }: Pick<ConfirmTime, 'closes_at'>, now: Date): boolean =>
  now.getTime() >= closes_at.getTime();

/**
 * R9.25: whether now is the time to say "I'm here".
 * @throws DomainError confirm.tooEarly, confirm.over
 */
export function assertTimeToConfirm({ opens_at, closes_at }: ConfirmTime, now: Date): void {
  if (now.getTime() < opens_at.getTime())
    throw new DomainError('confirm.tooEarly', { opens_at: opens_at.toISOString() });
  if (isNoShow({ closes_at }, now)) throw new DomainError('confirm.over');
}
