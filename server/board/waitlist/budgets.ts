import { lengthOf, mostWithinBudget } from '../../../shared/rules/budget.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import type { Tx } from '../../db/open.ts';
import { hoursUsedForOffer } from '../claims/claim-facts.ts';
import { memberTypeOrFallback } from '../records/member-types.ts';
import type { StoredWait } from './stored.ts';

/** What whoever waits may be offered of a date, in hours. */
interface MayHave {
  /** R4.3, R4.4: members of its type claim by now. */
  may_claim: boolean;
  voucher: number;
  /** The voucher, or less where that is all that is left of the budget. */
  most: number;
  /** Notes what is offered now. */
  offer: (run: HourRange) => void;
}

/**
 * Asks for each member type once, and once for what a character has. What is held counts, or of two offers the second could
 * not be accepted.
 */
export function budgets(tx: Tx, event: EventFacts | null, today: string): (wait: StoredWait) => Promise<MayHave> {
  const types = new Map<string, MemberType>();
  const had = new Map<string, { used: number } | null>();
  return async ({ member_type, character_key }) => {
    const type = types.get(member_type) ?? (await memberTypeOrFallback(tx, member_type));
    types.set(member_type, type);
    const inEvent = had.get(character_key) ?? (await hoursUsedForOffer(tx, character_key, type, event));
    had.set(character_key, inEvent);
    const voucher = type.voucher_duration_hours;
    const offer = (run: HourRange): void => {
      if (inEvent) inEvent.used += lengthOf([run]);
    };
    const may_claim = type.can_submit === 1 && type.earliest_submission_date <= today;
    return { may_claim, voucher, most: Math.min(voucher, mostWithinBudget(type, inEvent)), offer };
  };
}
