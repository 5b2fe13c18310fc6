import { omit } from '../../shared/omit.ts';
import type { HourRange } from '../../shared/rules/hours.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Submission } from '../../shared/schemas/claim.ts';
import type { Profile } from './saved-sessions.ts';

export interface Spot {
  respawn_id: number;
  date: string;
}

/** Whom claims are for, and by whose right they are submitted. */
export interface Claimant {
  character_name: string;
  member_type: string;
  /** null: an admin submits. */
  access_key: string | null;
}

/** Section 9 of the specification: an admin begins with this member type. */
export const UNNAMED: Claimant = { character_name: '', member_type: 'member', access_key: null };

export const claimantOf = ({ characterName, memberType, accessKey }: Profile): Claimant => ({
  character_name: characterName,
  member_type: memberType,
  access_key: accessKey,
});

/** An admin has to say whom the claims are for. */
export const isNamed = (claimant: Claimant): boolean => nameKey(claimant.character_name) !== '';

/** A submission that is sent, or was. The same content has the same key, so that it is stored once. */
export interface Attempt {
  submission: Submission;
  idempotency_key: string;
}

/** `unsure`: the network failed, so the claims may be stored or not; sending the attempt again finds out. */
export interface FailedSubmission {
  status: 'refused' | 'unsure';
  attempt: Attempt;
  error: unknown;
}

export type SubmissionState =
  | { status: 'idle'; attempt: Attempt | null }
  | { status: 'busy'; attempt: Attempt }
  | FailedSubmission;

export const IDLE: SubmissionState = { status: 'idle', attempt: null };

/** The answer is not known yet: a claim of the submitter on the board is most likely the submitted one. */
export const isAnswerOpen = ({ status }: SubmissionState): boolean =>
  status === 'busy' || status === 'unsure';

/** The draft changed: its last failure no longer applies. */
export const withoutFailure = ({ attempt }: SubmissionState): SubmissionState => ({
  status: 'idle',
  attempt,
});

/** A claim that is drafted on the board: plain data that only `draftAfter` changes. */
export interface ClaimDraft extends Spot {
  claimant: Claimant;
  /** The hours as the board allowed them when they were chosen; null: none can be claimed, and the refusal says why. */
  range: HourRange | null;
  /** The hours that were last chosen by hand: a date on which they are taken does not change them for the next one. */
  wanted: HourRange | null;
  /** `drawing`: the hours still change with the pointer or the keys. `asking`: the panel is open. */
  phase: 'drawing' | 'asking';
  /** The pressed element: the focus returns to it. */
  anchor: HTMLElement;
  /** The date on which the hours were chosen; the panel may go on with another. */
  date_in_view: string;
  /** The press named the hours and can be undone: they are submitted without a second press, unless they changed meanwhile. */
  isSentAtOnce: boolean;
  /** It was submitted once, so a missing name is a mistake. */
  isTried: boolean;
  submission: SubmissionState;
}

/** `type`: a field of the panel changed. `sent`: the request is under way. `refuse`: it failed; null: it was not sent, for want of a name. */
export type DraftStep =
  | ({ type: 'press' } & Pick<
      ClaimDraft,
      'respawn_id' | 'date' | 'claimant' | 'range' | 'phase' | 'anchor'
    > & { isSentAtOnce?: boolean; wanted?: HourRange | null })
  | { type: 'stretch'; range: HourRange; claimant?: Claimant }
  | {
      type: 'type';
      change:
        | { claimant: Claimant; range?: HourRange | null }
        | { date: string; range: HourRange | null };
    }
  | { type: 'sent'; attempt: Attempt }
  | { type: 'refuse'; failure: FailedSubmission | null };

/** Returns the same draft if the step changes nothing. @param draft null: none is open, only a press starts one */
export function draftAfter(draft: ClaimDraft | null, step: DraftStep): ClaimDraft | null {
  if (step.type === 'press') {
    const pressed = omit(step, 'type');
    return {
      isSentAtOnce: false,
      wanted: pressed.range,
      ...pressed,
      date_in_view: pressed.date,
      isTried: false,
      submission: IDLE,
    };
  }
  if (!draft) return null;
  const { submission } = draft;
  // The sent content stays until its answer is known.
  const isFixed = isAnswerOpen(submission);
  switch (step.type) {
    case 'stretch': {
      const { range, claimant = draft.claimant } = step;
      const wanted = range;
      return isFixed
        ? draft
        : { ...draft, range, wanted, claimant, submission: withoutFailure(submission) };
    }
    case 'type':
      return isFixed ? draft : { ...draft, ...step.change, submission: withoutFailure(submission) };
    case 'sent':
      return { ...draft, submission: { status: 'busy', attempt: step.attempt } };
    case 'refuse': {
      const { failure } = step;
      if (!failure) return { ...draft, isTried: true };
      // The answer to the draft of a panel that was closed.
      if (submission.attempt !== failure.attempt) return draft;
      return { ...draft, isTried: true, submission: failure };
    }
  }
}
