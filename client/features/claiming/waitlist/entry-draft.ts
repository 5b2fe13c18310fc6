import { useState } from 'react';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import { lengthOf, type StretchLimits, whatIsLeft } from '../../../../shared/rules/stretch.ts';
import type { WaitFacts } from '../../../../shared/rules/waits.ts';
import type { Wait, WaitInput } from '../../../../shared/schemas/wait.ts';
import { postWait } from '../../../api/calls.ts';
import type { RuleRefusal } from '../../../lib/refusal.ts';
import { useIsMounted } from '../../../lib/use-is-mounted.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { refreshBoard } from '../../../live/refresh.ts';
import { type BoardState, useBoard } from '../../../state/board-store.ts';
import { type Claimant, isNamed } from '../../../state/claim-draft.ts';
import { claimTimeNow, useClaimTime } from '../../../state/claim-time.ts';
import type { WaitlistRequest } from '../../../state/overlays.ts';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { claimantsNow } from '../in-place/choose-hours.ts';
import { checkEntry, entryFacts } from './entry-check.ts';

/** The first character who may join for these hours; if none may, the first one, with the refusal. */
function firstWhoMayJoin(
  board: BoardState,
  request: WaitlistRequest,
  claimants: readonly Claimant[],
): Claimant | undefined {
  return (
    claimants.find((claimant) => {
      const facts = entryFacts(board, request, claimant, claimTimeNow(false));
      const hours = whatIsLeft(request, facts.limits);
      return hours !== null && checkEntry(facts, request, hours, 1) === null;
    }) ?? claimants[0]
  );
}

/** The fields of the panel. */
interface Entry {
  claimant: Claimant;
  /** null: all of the hours are over. */
  hours: HourRange | null;
  /** The fewest hours in a row that are worth an offer. */
  min_hours: number;
}

export interface EntryDraft extends Entry {
  /** Drops the last failure. */
  change: (change: Partial<Entry>) => void;
  limits: StretchLimits;
  rules: WaitFacts;
  refusal: RuleRefusal | null;
  isBusy: boolean;
  failure: unknown;
  /** Sends the entry, unless something refuses it. */
  submit: () => void;
}

/** Checks the draft again with every change of the board. */
export function useEntryDraft(
  request: WaitlistRequest,
  first: Claimant,
  onJoined: (entry: Wait) => void,
): EntryDraft {
  const board = useBoard();
  const errorText = useErrorText();
  const time = useClaimTime(false);
  const isMounted = useIsMounted();
  const { respawn_id, date } = request;
  const spot = { respawn_id, date };
  const [typed, setTyped] = useState<Entry>(() => ({
    claimant: firstWhoMayJoin(board, request, claimantsNow()) ?? first,
    hours: null,
    min_hours: 1,
  }));
  const { claimant } = typed;
  const sending = useAction({
    work: async (entry: WaitInput) => {
      try {
        return await postWait(entry);
      } catch (error) {
        // The panel shows it, unless it was closed meanwhile.
        if (!isMounted()) showToast({ tone: 'bad', text: errorText(error) });
        throw error;
      }
    },
    done: onJoined,
    atEnd: refreshBoard,
  });
  const { isBusy, failure } = sending;
  const facts = entryFacts(board, spot, claimant, time);
  // R9.40: as many hours as the voucher allows, from the first that is not over. R9.41: the fewest hours stay within them.
  const hours = whatIsLeft(typed.hours ?? request, facts.limits);
  const min_hours = hours ? Math.min(typed.min_hours, lengthOf(hours)) : typed.min_hours;
  const refusal = ((): RuleRefusal | null => {
    // Until the answer is known, the entry on the board is most likely this one.
    if (isBusy) return null;
    return hours
      ? checkEntry(facts, spot, hours, min_hours)
      : { code: 'wait.hoursOver', params: { date } };
  })();
  return {
    claimant,
    hours,
    min_hours,
    change: (change) => {
      sending.forget();
      setTyped({ ...typed, ...change });
    },
    limits: facts.limits,
    rules: facts.rules,
    refusal,
    isBusy,
    failure,
    submit: () => {
      if (!hours || refusal || !isNamed(claimant)) return;
      const { hour_start, hour_end } = hours;
      const { access_key, member_type } = claimant;
      const by =
        access_key === null
          ? { character_name: tidyName(claimant.character_name), member_type }
          : { access_key };
      sending.run({ ...spot, hour_start, hour_end, min_hours, ...by });
    },
  };
}
