import { useState } from 'react';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import { lengthOf, type StretchLimits, whatIsLeft } from '../../../../shared/rules/stretch.ts';
import type { WaitFacts } from '../../../../shared/rules/waits.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { postWait } from '../../../api/calls.ts';
import { useIsMounted } from '../../../lib/use-is-mounted.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { refreshBoard } from '../../../live/refresh.ts';
import { type BoardState, useBoard } from '../../../state/board-store.ts';
import { type Claimant, isNamed } from '../../../state/claim-draft.ts';
import type { WaitlistRequest } from '../../../state/overlays.ts';
import { claimTimeNow, useClaimTime } from '../../../state/permissions.ts';
import { showToast } from '../../../ui/toast.tsx';
import type { RuleRefusal } from '../draft/check.ts';
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

type Sending = { status: 'idle' } | { status: 'busy' } | { status: 'refused'; error: unknown };

export interface EntryDraft {
  claimant: Claimant;
  setClaimant: (claimant: Claimant) => void;
  /** null: all of the hours are over. */
  hours: HourRange | null;
  setHours: (hours: HourRange) => void;
  /** The fewest hours in a row that are worth an offer. */
  min_hours: number;
  setMinHours: (hours: number) => void;
  limits: StretchLimits;
  rules: WaitFacts;
  refusal: RuleRefusal | null;
  sending: Sending;
  /** Returns the entry, or null when it was refused or cannot be sent. */
  submit: () => Promise<Wait | null>;
}

/** Checks the draft again with every change of the board. */
export function useEntryDraft(request: WaitlistRequest, first: Claimant): EntryDraft {
  const board = useBoard();
  const errorText = useErrorText();
  const time = useClaimTime(false);
  const isMounted = useIsMounted();
  const { respawn_id, date } = request;
  const spot = { respawn_id, date };
  const [claimant, setClaimant] = useState(
    () => firstWhoMayJoin(board, request, claimantsNow()) ?? first,
  );
  const [chosen, setHours] = useState<HourRange | null>(null);
  const [least, setLeast] = useState(1);
  const [sending, setSending] = useState<Sending>({ status: 'idle' });
  const facts = entryFacts(board, spot, claimant, time);
  // R9.40: as many hours as the voucher allows, from the first that is not over. R9.41: the fewest hours stay within them.
  const hours = whatIsLeft(chosen ?? request, facts.limits);
  const min_hours = hours ? Math.min(least, lengthOf(hours)) : least;
  const isBusy = sending.status === 'busy';
  const refusal = ((): RuleRefusal | null => {
    // Until the answer is known, the entry on the board is most likely this one.
    if (isBusy) return null;
    return hours
      ? checkEntry(facts, spot, hours, min_hours)
      : { code: 'wait.hoursOver', params: { date } };
  })();

  /** A change of the draft drops the last failure. */
  const changing =
    <T>(change: (value: T) => void) =>
    (value: T): void => {
      setSending({ status: 'idle' });
      change(value);
    };
  const submit = async (): Promise<Wait | null> => {
    if (isBusy || !hours || refusal || !isNamed(claimant)) return null;
    setSending({ status: 'busy' });
    const { access_key, member_type } = claimant;
    const by =
      access_key === null
        ? { character_name: tidyName(claimant.character_name), member_type }
        : { access_key };
    try {
      const { hour_start, hour_end } = hours;
      return await postWait({ ...spot, hour_start, hour_end, min_hours, ...by });
    } catch (error) {
      setSending({ status: 'refused', error });
      // If the panel was closed meanwhile, say it in a message.
      if (!isMounted()) showToast({ tone: 'bad', text: errorText(error) });
      return null;
    } finally {
      refreshBoard();
    }
  };
  return {
    claimant,
    setClaimant: changing(setClaimant),
    hours,
    setHours: changing(setHours),
    min_hours,
    setMinHours: changing(setLeast),
    limits: facts.limits,
    rules: facts.rules,
    refusal,
    sending,
    submit,
  };
}
