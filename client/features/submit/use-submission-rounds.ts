import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type ClaimTime, lastDateAhead } from '../../../shared/rules/claim-time.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { date as dateSchema } from '../../../shared/schemas/fields.ts';
import { askedHoursIn } from '../../lib/asked-claim.ts';
import { coveredPeriod, datesOnOffer } from '../claiming/draft/claim-dates.ts';
import type { FirstChoice } from '../claiming/draft/form-state.ts';

interface SubmissionRounds {
  /** What the server stored; null while the form is in view. */
  stored: readonly ClaimRow[] | null;
  setStored: (claims: readonly ClaimRow[]) => void;
  /** An event of the other kind is another form; so is the next one asked for. */
  formKey: string;
  first: FirstChoice;
  /** Tells what the address asks for from what it asked before: the form takes it over, and keeps the rest. */
  asked: string;
  submitMore: () => void;
}

/** The form, then what was stored, then an empty form. */
export function useSubmissionRounds(event: ActiveEvent | null, time: ClaimTime): SubmissionRounds {
  const [query, setQuery] = useSearchParams();
  const [stored, setStored] = useState<readonly ClaimRow[] | null>(null);
  const [round, setRound] = useState(0);
  /** What was asked for is stored; the address says it for a moment still. */
  const [done, setDone] = useState<string | null>(null);
  const isDone = done === String(query);
  if (done !== null && !isDone) setDone(null);
  const wanted = isDone ? new URLSearchParams() : query;
  return {
    stored,
    setStored,
    formKey: `${round} ${event?.type === 'single_claim' ? event.id : ''}`,
    first: firstChoice(wanted, event, time),
    asked: String(wanted),
    submitMore: () => {
      setStored(null);
      setRound(round + 1);
      setDone(String(query) || null);
      setQuery({}, { replace: true });
    },
  };
}

/** What the address asks for: `?respawn=12&date=2026-11-21&hour=14&hours=3`. What cannot be chosen is left out. */
export function firstChoice(query: URLSearchParams, event: ActiveEvent | null, time: ClaimTime): FirstChoice {
  const offered = event?.type === 'single_claim' ? [coveredPeriod('', event).first] : datesOnOffer(event, time);
  // What is past is offered to an admin, not suggested.
  const suggested = offered.find((date) => date >= time.today) ?? offered.at(-1) ?? null;
  const { respawn_id, date: asked, hour, hours } = askedHoursIn(query);
  const isAskedFor = asked !== null && (offered.includes(asked) || isAdminsToEnter(asked, event, time));
  return {
    respawn_id,
    date: isAskedFor ? asked : event?.type === 'single_claim' ? (offered[0] ?? null) : suggested,
    hour_start: hour,
    custom_duration: hours,
    is_suggestion: !isAskedFor,
    is_link_over: !isAskedFor && asked !== null && isDate(asked) && asked < time.today,
  };
}

const isDate = (text: string): boolean => dateSchema.safeParse(text).success;

/** Of what was, two weeks are offered to an admin; any other day takes a link, as the board's. */
const isAdminsToEnter = (asked: string, event: ActiveEvent | null, time: ClaimTime): boolean =>
  time.may_enter_past && event === null && isDate(asked) && asked <= lastDateAhead(time);
