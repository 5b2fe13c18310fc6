import { DomainError } from '../errors.ts';
import type { Claim } from '../schemas/claim.ts';
import type { TransferOutcome } from '../schemas/transfer.ts';
import type { HourRange } from './hours.ts';
import { instantOf, type ServerSaveClock } from './server-save.ts';

/** An offer lasts this long, but ends when one of its claims begins. */
const TRANSFER_LASTS_MS = 86_400_000;

/** Offers that a character may make within a day, however they end; after that, it cannot make another. */
export const OFFERS_A_DAY = 50;
/** Open offers that a character may have to another one: the other sees all of them on every page. */
export const OFFERS_TO_ONE = 10;
/** Names that are suggested at once; more letters find the others. */
export const MAX_RECIPIENTS = 20;

type Offered = Pick<Claim, 'date' | 'is_held' | 'is_secondary_claim'>;

/** R11.1: when a claim's hours start; of a whole event's claim those of its first date. @param hours of all parts */
export function claimBegins(
  hours: readonly Pick<HourRange, 'hour_start'>[],
  first_date: string,
  clock: ServerSaveClock,
): Date {
  return instantOf(first_date, Math.min(...hours.map(({ hour_start }) => hour_start)), clock);
}

/** @throws DomainError transfer.tooOften, transfer.tooMany */
export function assertMayOffer(
  { made, to_one }: { made: number; to_one: number },
  to: string,
): void {
  if (made >= OFFERS_A_DAY) throw new DomainError('transfer.tooOften', { max: OFFERS_A_DAY });
  if (to_one >= OFFERS_TO_ONE)
    throw new DomainError('transfer.tooMany', { character_name: to, max: OFFERS_TO_ONE });
}

/** R11.1. @param begins when each of the claims begins */
export function transferExpiry(begins: readonly Date[], now: Date): Date {
  return new Date(Math.min(now.getTime() + TRANSFER_LASTS_MS, ...begins.map((at) => at.getTime())));
}

/**
 * R11.1: whether a claim may be handed over or swapped: it is no hold, no secondary claim, and none of its hours have begun.
 * @throws DomainError transfer.held, transfer.secondary, transfer.begun
 */
export function assertMayTransfer(claim: Offered, begins: Date, now: Date): void {
  if (claim.is_held) throw new DomainError('transfer.held');
  if (claim.is_secondary_claim) throw new DomainError('transfer.secondary');
  if (begins <= now) throw new DomainError('transfer.begun');
}

/** The same for a button. */
export const mayTransfer = (claim: Offered, begins: Date, now: Date): boolean =>
  !claim.is_held && !claim.is_secondary_claim && begins > now;

/** The refusal of a late answer, which says why the transfer has ended. */
export const TRANSFER_OVER = {
  accepted: 'transfer.wasAccepted',
  refused: 'transfer.wasRefused',
  withdrawn: 'transfer.wasWithdrawn',
  expired: 'transfer.expired',
  changed: 'transfer.claimChanged',
  waitlist: 'transfer.waitlistJoined',
  disabled: 'transfer.disabled',
  gone: 'transfer.memberGone',
} as const satisfies { [O in TransferOutcome]: string };

export const isTransferOutcome = (outcome: string): outcome is TransferOutcome =>
  Object.hasOwn(TRANSFER_OVER, outcome);
