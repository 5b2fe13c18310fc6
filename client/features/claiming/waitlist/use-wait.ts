import { useState } from 'react';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { postWait } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { refreshBoard } from '../../../live/refresh.ts';
import { type AskedWait, useAskedWait } from '../../../state/asked-wait.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useClaimTime } from '../../../state/permissions.ts';
import { showToast } from '../../../ui/toast.tsx';
import type { RuleRefusal } from '../draft/refusal-of.ts';
import { type Claimant, isNamed } from '../draft/submission-body.ts';
import { minWithin, proposedOf, type WaitStanding, waiterFor, waitRefusal, waitStandingOf } from './wait-standing.ts';

type Sending = { status: 'idle' } | { status: 'busy' } | { status: 'refused'; error: unknown };

export interface AskedToWait {
  claimant: Claimant;
  setClaimant: (claimant: Claimant) => void;
  /** null: nothing of the hours is to come. */
  hours: HourRange | null;
  setHours: (hours: HourRange) => void;
  min_hours: number;
  setMinHours: (hours: number) => void;
  standing: WaitStanding;
  refusal: RuleRefusal | null;
  sending: Sending;
  /** Answers the wait, or null when it was refused, or cannot be sent. */
  submit: () => Promise<Wait | null>;
}

/** What is asked for, judged anew with every change of the board. */
export function useWait(asked: AskedWait, first: Claimant): AskedToWait {
  const board = useBoard();
  const errorText = useErrorText();
  const time = useClaimTime(false);
  const { respawn_id, date } = asked;
  const spot = { respawn_id, date };
  const [claimant, changeClaimant] = useState(() => waiterFor(board, spot, asked) ?? first);
  const [chosen, changeHours] = useState<HourRange | null>(null);
  const [least, changeLeast] = useState(1);
  const [sending, setSending] = useState<Sending>({ status: 'idle' });
  const standing = waitStandingOf(board, spot, claimant, time);
  const hours = proposedOf(chosen ?? asked, standing);
  const min_hours = hours ? minWithin(least, hours) : least;
  const isBusy = sending.status === 'busy';
  // While the answer is under way, the wait that the board shows is most likely this one.
  const refusal = isBusy
    ? null
    : hours
      ? waitRefusal(board, spot, hours, min_hours, standing)
      : { code: 'wait.hoursOver' as const, params: { date } };

  /** Something else is chosen: what was said about the last try does not hold any more. */
  const anew =
    <T>(change: (value: T) => void) =>
    (value: T): void => {
      setSending({ status: 'idle' });
      change(value);
    };
  const submit = async (): Promise<Wait | null> => {
    if (isBusy || !hours || refusal || !isNamed(claimant)) return null;
    setSending({ status: 'busy' });
    const { access_key, member_type } = claimant;
    const by = access_key === null ? { character_name: tidyName(claimant.character_name), member_type } : { access_key };
    try {
      const { hour_start, hour_end } = hours;
      return await postWait({ ...spot, hour_start, hour_end, min_hours, ...by });
    } catch (error) {
      setSending({ status: 'refused', error });
      // Its panel was closed meanwhile: the refusal is said all the same.
      if (useAskedWait.getState().asked?.id !== asked.id) showToast({ tone: 'bad', text: errorText(error) });
      return null;
    } finally {
      refreshBoard();
    }
  };
  return {
    claimant,
    setClaimant: anew(changeClaimant),
    hours,
    setHours: anew(changeHours),
    min_hours,
    setMinHours: anew(changeLeast),
    standing,
    refusal,
    sending,
    submit,
  };
}
