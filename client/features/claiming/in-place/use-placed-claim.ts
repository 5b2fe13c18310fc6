import { useEffect } from 'react';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { rangesOverlap } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { type StretchLimits, whatIsLeft } from '../../../../shared/rules/stretch.ts';
import type { ClaimRow } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { announceChoosing } from '../../../live/announce-choosing.ts';
import { type SubmissionState, useSubmission } from '../../../live/use-submission.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useClaimTime } from '../../../state/permissions.ts';
import { showToast } from '../../../ui/toast.tsx';
import type { RuleRefusal } from '../draft/refusal-of.ts';
import { isNamed } from '../draft/submission-body.ts';
import type { Taken } from '../draft/taken.ts';
import { useAvailability } from '../draft/use-availability.ts';
import { useCharacterCheck } from '../draft/use-character-check.ts';
import { type Placing, usePlacing } from './placing.ts';
import { bodyOf, isBusy, limitsOf, refusalFor, standingOf } from './standing.ts';

export interface PlacedClaim {
  event: ActiveEvent | null;
  /** What can still be had of the chosen hours; null: nothing. */
  hours: HourRange | null;
  limits: StretchLimits;
  taken: readonly Taken[];
  /** Who has taken some of the chosen hours meanwhile. */
  lostTo: Taken | null;
  /** Why this character cannot claim them. */
  refusal: RuleRefusal | null;
  submission: SubmissionState;
  /** Sends the claim, or asks again for an answer that was lost; answers what was stored, or null. */
  submit: () => Promise<ClaimRow[] | null>;
  /** Something else is chosen: what was said about the last try does not hold any more. */
  forget: () => void;
}

/** The claim that is being put together, judged anew with every change of the board, as the form judges its own. */
export function usePlacedClaim({ id, respawn_id, date, range, claimant }: Placing): PlacedClaim {
  const errorText = useErrorText();
  const board = useBoard();
  const time = useClaimTime(claimant.access_key === null);
  const submission = useSubmission((error) => {
    // Its panel was closed meanwhile: the refusal is said all the same.
    if (usePlacing.getState().placing?.id !== id) showToast({ tone: 'bad', text: errorText(error) });
  });
  // Until the answer is known, what the character holds is most likely what was just submitted.
  const isAnswerOpen = submission.state.status === 'busy' || submission.state.status === 'unsure';
  const standing = standingOf(board, date, claimant, time);
  const { period, event } = standing;
  const availability = useAvailability([{ respawn_id, period }]);
  const check = useCharacterCheck(claimant.character_name, [period]);
  const taken = availability.takenIn(respawn_id, period);
  const limits = limitsOf(standing, taken);
  // What was sent stays as it was, though the hour turns before the answer, or the claim itself comes.
  const hours = range && (isAnswerOpen ? range : whatIsLeft(range, limits));
  const answer = check.in(period);
  const isHeld = !isAnswerOpen && (isBusy(standing) || (answer.status === 'ready' && answer.value.length > 0));
  // Without hours it is asked for the first there might be: the reason is about who claims, or when.
  const refusal: RuleRefusal | null = isHeld
    ? { code: 'claim.characterHasClaim', params: {} }
    : isAnswerOpen
      ? null
      : refusalFor(standing, { respawn_id, date }, hours ?? { hour_start: 23, hour_end: 24 });
  useAnnounce(respawn_id, event?.type === 'single_claim' ? null : date, refusal ? null : hours);

  const submit = async (): Promise<ClaimRow[] | null> => {
    if (submission.state.status === 'busy' || !isNamed(claimant)) return null;
    const stored =
      submission.state.status === 'unsure'
        ? await submission.submitAgain()
        : hours && !refusal
          ? await submission.submit(bodyOf(standing, { respawn_id, date }, hours))
          : null;
    if (!stored) {
      availability.askAgain();
      check.askAgain();
    }
    return stored;
  };
  const lostTo = (range && taken.find((one) => rangesOverlap(one, range) && nameKey(one.character_name) !== '')) ?? null;
  return { event, hours, limits, taken, lostTo, refusal, submission: submission.state, submit, forget: submission.forget };
}

/** Shows the others what is being chosen, as the form does. */
function useAnnounce(respawn_id: number, date: string | null, hours: HourRange | null): void {
  const [hour_start, hour_end] = [hours?.hour_start, hours?.hour_end];
  useEffect(() => {
    announceChoosing(hour_start === undefined || hour_end === undefined ? null : [{ respawn_id, date, hour_start, hour_end }]);
  }, [respawn_id, date, hour_start, hour_end]);
  useEffect(() => () => announceChoosing(null), []);
}
