import { HOURS_IN_DAY } from './server-save.ts';

/** Section 9 of the specification: what a secondary claim waits with; 0 marks a primary one. */
export const SECONDARY_PRIORITY = 5;

const TYPES_WITH_SECONDARY: readonly string[] = ['elite', 'vice'];

/** R5.5: only elite and vice, and only where their type allows it. */
export function mayClaimSecondary(member_type: string, allow_secondary_claims: number): boolean {
  return TYPES_WITH_SECONDARY.includes(member_type) && allow_secondary_claims === 1;
}

/** R5.6: a secondary claim lasts as long as its primary, cut at SS+24. */
export function secondaryEnd(hour_start: number, primary_duration: number): number {
  return Math.min(hour_start + primary_duration, HOURS_IN_DAY);
}
