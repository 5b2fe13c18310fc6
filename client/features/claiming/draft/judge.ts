import { errors, isErrorCode } from '../../../../shared/error-codes.ts';
import type { ClaimTime } from '../../../../shared/rules/claim-time.ts';
import { type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { type StretchLimits, whatIsLeft } from '../../../../shared/rules/stretch.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { ApiError } from '../../../api/request.ts';
import type { RuleRefusal } from '../../../lib/refusal.ts';
import type { BoardState } from '../../../state/board-store.ts';
import {
  type Attempt,
  type ClaimDraft,
  type FailedSubmission,
  IDLE,
  isAnswerOpen,
} from '../../../state/claim-draft.ts';
import {
  CHARACTER_HAS_CLAIM,
  claimantFacts,
  claimsOf,
  type HeldClaim,
  hasClaim,
  limitsOf,
  type OwnClaim,
  refusalOfDraft,
  type Taken,
  takenOnBoard,
} from './check.ts';

/** The fields of a draft on the board that the board may refuse. */
type Judged = Pick<ClaimDraft, 'respawn_id' | 'date' | 'claimant' | 'range'> &
  Partial<Pick<ClaimDraft, 'submission'>>;

interface Evidence {
  board: BoardState;
  time: ClaimTime;
  /** The server's answers: the spot's taken hours, and the character's claims. Without them the board's are used. */
  taken?: readonly Taken[];
  held?: readonly HeldClaim[];
}

/** Why a draft cannot be claimed as it was chosen. */
export type Notice =
  | { kind: 'failed'; failure: FailedSubmission }
  | { kind: 'own-claims'; refusal: RuleRefusal; own: readonly OwnClaim[] }
  | { kind: 'refused'; refusal: RuleRefusal }
  | { kind: 'taken'; by: Taken; left: HourRange | null }
  | { kind: 'ended' };

export interface Verdict {
  event: ActiveEvent | null;
  voucher: number;
  limits: StretchLimits;
  taken: readonly Taken[];
  /** The chosen hours that are still free; null: none. */
  hours: HourRange | null;
  /** The server's refusal of this character, spot and date; a name may still be missing. */
  refusal: RuleRefusal | null;
  notice: Notice | null;
  maySubmit: boolean;
}

/** Judges a draft with the server's rules. */
export function judge(draft: Judged, { board, time, ...answers }: Evidence): Verdict {
  const { respawn_id, date, claimant, range, submission = IDLE } = draft;
  const facts = claimantFacts(board, date, claimant, time);
  const { event, voucher } = facts;
  const taken = answers.taken ?? takenOnBoard(facts, respawn_id);
  const limits = limitsOf(facts, taken);
  const isOpen = isAnswerOpen(submission);
  // The sent request stays, even if the hour ends or the claim arrives before the response.
  const hours = range && (isOpen ? range : whatIsLeft(range, limits));
  const held = answers.held?.map((claim) => ownClaimOf(claim, board)) ?? [];
  const own = held.length > 0 ? held : claimsOf(facts);
  const hasOwn = own.length > 0 || hasClaim(facts);
  const refusal = isOpen
    ? null
    : hasOwn
      ? CHARACTER_HAS_CLAIM
      : refusalOfDraft(facts, draft, hours);
  const inTheWay = ((): Notice | null => {
    if (refusal)
      return hasOwn ? { kind: 'own-claims', refusal, own } : { kind: 'refused', refusal };
    if (!range || isOpen) return null;
    const by = taken.find((one) => rangesOverlap(one, range) && nameKey(one.character_name) !== '');
    if (by) return { kind: 'taken', by, left: hours };
    return hours ? null : { kind: 'ended' };
  })();
  const isFinal = submission.status === 'refused' && !mayWorkAgain(submission.error);
  const isChanged = isFinal && !wasSentFor(submission.attempt, hours);
  // The board's reason names the claim in the way, and may offer another date.
  const isExplained = inTheWay !== null && (isChanged || (isFinal && refusal !== null));
  const notice: Notice | null =
    !isExplained && (submission.status === 'refused' || submission.status === 'unsure')
      ? { kind: 'failed', failure: submission }
      : inTheWay;
  const maySubmit =
    submission.status === 'unsure' ||
    (hours !== null && refusal === null && (!isFinal || isChanged));
  return { event, voucher, limits, taken, hours, refusal, notice, maySubmit };
}

/** Whether the submitted hours are still the ones to claim; the board may have cut them since. */
const wasSentFor = ({ submission }: Attempt, hours: HourRange | null): boolean =>
  hours !== null &&
  submission.claims.some(
    ({ hour_start, hour_end }) => hour_start === hours.hour_start && hour_end === hours.hour_end,
  );

/** Whether the same claim may be stored when it is sent again: a conflict or a limit stays until the claim is another. */
const mayWorkAgain = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status >= 500 ||
  !isErrorCode(error.code) ||
  errors[error.code].class === 'later';

/** The server names the spot only. */
function ownClaimOf(
  { respawn_name, first_date, hour_start, hour_end }: HeldClaim,
  board: BoardState,
): OwnClaim {
  const spot = [...board.byKind.respawn.values()].find(({ name }) => name === respawn_name);
  return { respawn_id: spot?.id ?? null, respawn_name, date: first_date, hour_start, hour_end };
}
