import { type AskedHours, assertWithinBudget, lengthOf } from '../../../shared/rules/budget.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import type { PlannedClaim } from '../../../shared/rules/submission.ts';
import type { EventFacts } from '../../../shared/schemas/event.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import type { Tx } from '../../db/open.ts';

/**
 * R9.27, R9.28: what a character asks for lies within the budget of its type. Nothing is read where that has none.
 * @param event the active one
 * @throws DomainError budget.day, budget.event
 */
export async function assertInBudget(
  tx: Tx,
  character_name: string,
  asked: readonly AskedHours[],
  type: MemberType,
  event: EventFacts | null,
): Promise<void> {
  if (type.max_hours_per_day === null && type.max_hours_per_event === null) return;
  const isCounted = event !== null && type.max_hours_per_event !== null;
  assertWithinBudget(asked, type, isCounted ? { used: await hoursUsed(tx, nameKey(character_name), event, { held: false }) } : null);
}

/** What a submission's primary claims ask for. */
export const hoursAsked = (planned: readonly PlannedClaim[]): AskedHours[] =>
  planned.filter((claim) => !claim.is_secondary_claim).map(({ dates, parts }) => ({ dates, hours: lengthOf(parts) }));

/** What counts of somebody in the budget for an event, with what is held for them; null where there is none, and nothing is read. */
export async function hoursToOffer(
  tx: Tx,
  character_key: string,
  { max_hours_per_event }: MemberType,
  event: EventFacts | null,
): Promise<{ used: number } | null> {
  if (max_hours_per_event === null || !event) return null;
  return { used: await hoursUsed(tx, character_key, event, { held: true }) };
}

/**
 * The hours that a character has in an event, as `hoursInEvent` counts them.
 * @param held whether those that are held for it count, too
 */
async function hoursUsed(
  tx: Tx,
  character_key: string,
  { id, type, start_time, end_time }: EventFacts,
  { held }: { held: boolean },
): Promise<number> {
  const [first, last] = [eventDate(start_time), eventDate(end_time)];
  const all = tx
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .select(({ eb, fn }) => fn.coalesce(fn.sum<number>(eb('hour_end', '-', eb.ref('hour_start'))), eb.lit(0)).as('hours'))
    .where('character_key', '=', character_key)
    // What is held without an event is of this one once it is accepted (R9.12).
    .where(({ eb, or, and }) => {
      const its = eb('event_id', '=', id);
      return held ? or([its, and([eb('event_id', 'is', null), eb('held_until', 'is not', null)])]) : its;
    })
    .where('is_secondary_claim', '=', 0);
  const own = held ? all : all.where('held_until', 'is', null);
  // By its dates, too, which are indexed with the character.
  const its = type === 'single_claim' ? own.where('date', 'is', null) : own.where('date', '>=', first).where('date', '<=', last);
  const { hours } = await its.executeTakeFirstOrThrow();
  return Number(hours) * (type === 'single_claim' ? datesBetween(first, last).length : 1);
}
