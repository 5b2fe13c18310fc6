import { type ClaimTime, lastDateAhead } from '../../../shared/rules/claim-time.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { date as dateSchema } from '../../../shared/schemas/fields.ts';
import { coveredPeriod, datesOnOffer } from './state/claim-dates.ts';
import type { FirstChoice } from './state/form-state.ts';

/** What the address asks for: `?respawn=12&date=2026-11-21&hour=14`. What cannot be chosen is left out. */
export function firstChoice(query: URLSearchParams, event: ActiveEvent | null, time: ClaimTime): FirstChoice {
  const offered = event?.type === 'single_claim' ? [coveredPeriod('', event).first] : datesOnOffer(event, time);
  // What is past is offered to an admin, not suggested.
  const suggested = offered.find((date) => date >= time.today) ?? offered.at(-1) ?? null;
  const asked = query.get('date');
  const isAskedFor = asked !== null && (offered.includes(asked) || isAdminsToEnter(asked, event, time));
  return {
    respawn_id: wholeNumber(query.get('respawn'), 1, Number.MAX_SAFE_INTEGER),
    date: isAskedFor ? asked : event?.type === 'single_claim' ? (offered[0] ?? null) : suggested,
    hour_start: wholeNumber(query.get('hour'), 0, 23),
    is_suggestion: !isAskedFor,
    is_link_over: !isAskedFor && asked !== null && isDate(asked) && asked < time.today,
  };
}

const isDate = (text: string): boolean => dateSchema.safeParse(text).success;

/** Of what was, two weeks are offered to an admin; any other day takes a link, as the board's. */
const isAdminsToEnter = (asked: string, event: ActiveEvent | null, time: ClaimTime): boolean =>
  time.may_enter_past && event === null && isDate(asked) && asked <= lastDateAhead(time);

function wholeNumber(text: string | null, min: number, max: number): number | null {
  if (text === null || !/^\d+$/.test(text)) return null;
  const number = Number(text);
  return number >= min && number <= max ? number : null;
}
