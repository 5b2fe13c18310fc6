import { useRef, useState } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router-dom';
import type { ClaimTime } from '../../../shared/rules/claim-time.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { keptClaimantIn } from '../../lib/claim-request.ts';
import { useBoard } from '../../state/board-store.ts';
import { type Claimant, UNNAMED } from '../../state/claim-draft.ts';
import { mayClaimOn } from '../claiming/draft/check.ts';
import type { ClaimFormProps } from './claim-form.tsx';
import { type FormState, firstChoice } from './form-state.ts';
import { dropKeptForm, type KeptForm, keepForm, keptForm } from './kept-form.ts';

interface SubmissionRounds {
  stored: readonly ClaimRow[] | null;
  /** Another form for an event of the other kind, and after each submission. */
  formKey: string;
  form: Pick<
    ClaimFormProps,
    'first' | 'request' | 'kept' | 'onState' | 'onSubmitted' | 'onStartOver'
  >;
  submitMore: () => void;
  /** The stored claims were undone: the form opens again with the same input. */
  changeAgain: () => void;
}

interface RoundFacts {
  /** Whose form it is, as `keepForm` has it. */
  of: string;
  claimant: Claimant;
  event: ActiveEvent | null;
  time: ClaimTime;
}

/** The kept form of this person; null: start empty. A function, because the kept form is not React state. */
export function useKeptForm(of: string, event: ActiveEvent | null): () => KeptForm | null {
  const isReturn = useNavigationType() === 'POP';
  const [query] = useSearchParams();
  const requested = useRequestedName();
  return () =>
    keptForm({ of, event_id: wholeEventId(event), search: String(query), requested }, isReturn);
}

/** The claimant that the board asked for, as a name's key; empty: none. */
const useRequestedName = (): string =>
  nameKey(keptClaimantIn(useLocation().state)?.character_name ?? '');

const wholeEventId = (event: ActiveEvent | null): number | null =>
  event?.type === 'single_claim' ? event.id : null;

/** The form, then the stored claims, then an empty form. */
export function useSubmissionRounds({ of, claimant, event, time }: RoundFacts): SubmissionRounds {
  const [query, setQuery] = useSearchParams();
  const [stored, setStored] = useState<readonly ClaimRow[] | null>(null);
  const [round, setRound] = useState(0);
  /** The request that is stored; the address still has it for a moment. */
  const [done, setDone] = useState<string | null>(null);
  const isDone = done === String(query);
  if (done !== null && !isDone) setDone(null);
  const wanted = isDone ? new URLSearchParams() : query;
  const event_id = wholeEventId(event);
  const findKept = useKeptForm(of, event);
  const requested = useRequestedName();
  /** The form that was submitted, for when its claims are undone. */
  const [submitted, setSubmitted] = useState<FormState | null>(null);
  const [isKept, setKept] = useState(() => findKept() !== null);
  const last = useRef<FormState | null>(null);
  /** The last round whose form was closed: one of its effects may still run. */
  const doneRound = useRef(-1);
  const drop = (): void => {
    doneRound.current = round;
    dropKeptForm();
  };
  return {
    stored,
    formKey: `${round} ${event_id ?? ''}`,
    form: {
      first: () =>
        firstChoice(wanted, event, time, (date, respawn_id) =>
          mayClaimOn(useBoard.getState(), date, { claimant, time, respawn_id }),
        ),
      request: String(wanted),
      kept: () => submitted ?? findKept()?.state ?? null,
      onState: (state) => {
        if (round <= doneRound.current) return;
        last.current = state;
        keepForm({
          of,
          event_id,
          search: String(query),
          requested,
          claimant: claimant.access_key === null ? claimant : UNNAMED,
          state,
        });
      },
      onSubmitted: (claims) => {
        drop();
        setSubmitted(last.current && { ...last.current, tried: false });
        setStored(claims);
      },
      onStartOver: isKept
        ? () => {
            drop();
            setKept(false);
            setSubmitted(null);
            setRound(round + 1);
          }
        : undefined,
    },
    submitMore: () => {
      setStored(null);
      setSubmitted(null);
      setKept(false);
      setRound(round + 1);
      setDone(String(query) || null);
      setQuery({}, { replace: true });
    },
    changeAgain: () => {
      setStored(null);
      setRound(round + 1);
    },
  };
}
