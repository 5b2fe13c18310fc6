import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ClaimTime } from '../../../shared/rules/claim-time.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { firstChoice } from './first-choice.ts';
import type { FirstChoice } from './state/form-state.ts';

export interface SubmissionRounds {
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
