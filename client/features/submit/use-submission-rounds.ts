import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { CONFIG_ID } from '../../../shared/live.ts';
import { type ClaimTime, DEFAULT_HORIZON_DAYS, lastDateAhead } from '../../../shared/rules/claim-time.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { date as dateSchema } from '../../../shared/schemas/fields.ts';
import { coveredPeriod, datesOnOffer } from '../../lib/claim-row/claim-dates.ts';
import { useBoard } from '../../store/board-store.ts';
import { useServerSaveTime } from '../../store/clock.ts';
import type { FirstChoice } from './state/form-state.ts';

interface SubmissionRounds {
  /** What the server stored; null while the form is in view. */
  stored: readonly ClaimRow[] | null;
  setStored: (claims: readonly ClaimRow[]) => void;
  /** Another spot chosen on the board, or an event of the other kind, is another form; so is the next one asked for. */
  formKey: string;
  first: FirstChoice;
  submitMore: () => void;
}

/** The form, then what was stored, then an empty form. */
export function useSubmissionRounds(event: ActiveEvent | null, time: ClaimTime): SubmissionRounds {
  const [query, setQuery] = useSearchParams();
  const [stored, setStored] = useState<readonly ClaimRow[] | null>(null);
  const [round, setRound] = useState(0);
  return {
    stored,
    setStored,
    formKey: `${round} ${query} ${event?.type === 'single_claim' ? event.id : ''}`,
    first: firstChoice(query, event, time),
    submitMore: () => {
      setStored(null);
      setRound(round + 1);
      setQuery({}, { replace: true });
    },
  };
}

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

/** When the form's claims are made, by the clock that goes on while it is open. */
export function useClaimTime(may_enter_past: boolean): ClaimTime {
  const { date: today, hour } = useServerSaveTime();
  // A change set of a server before this one has a configuration without it.
  const horizon_days = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.horizon_days) ?? DEFAULT_HORIZON_DAYS;
  return { today, hour, horizon_days, may_enter_past };
}
