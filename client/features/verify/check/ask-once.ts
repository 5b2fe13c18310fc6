import type { VerificationAnswer } from '../../../../shared/schemas/character.ts';
import { checkVerification } from '../../../api/calls.ts';
import { ApiError } from '../../../api/request.ts';

type PendingReason = NonNullable<VerificationAnswer['reason']>;

/** The check goes on: not found yet, the server is away, or it asks for patience. */
export type GoingOn =
  | { is: 'pending'; reason: PendingReason; waitSeconds: number | null; checkedAt: string | null; nextCheckAt: string | null }
  | { is: 'unreachable' }
  | { is: 'told-to-wait'; seconds: number };

/**
 * `key`: this browser gets it. `verified`: the character is, but the key is not for this browser. `expired`, `unknown`
 * (the server does not know our code any more) and `refused` end the check without.
 */
export type Ended =
  | { is: 'key'; characterName: string; memberType: string; accessKey: string }
  | { is: 'verified'; characterName: string }
  | { is: 'expired' }
  | { is: 'unknown' }
  | { is: 'refused'; error: ApiError };

const DEFAULT_WAIT_SECONDS = 60;

/** Asks the server once whether a code was found. */
export async function askOnce(characterName: string, verification_token: string, signal: AbortSignal): Promise<GoingOn | Ended> {
  try {
    return verdictOf(await checkVerification(characterName, verification_token, signal));
  } catch (error) {
    return verdictOfFailure(error);
  }
}

function verdictOf(answer: VerificationAnswer): GoingOn | Ended {
  const {
    verified,
    characterName,
    memberType = 'member',
    accessKey,
    reason,
    waitSeconds = null,
    checkedAt = null,
    nextCheckAt = null,
  } = answer;
  if (verified) return accessKey ? { is: 'key', characterName, memberType, accessKey } : { is: 'verified', characterName };
  return reason ? { is: 'pending', reason, waitSeconds, checkedAt, nextCheckAt } : { is: 'unknown' };
}

function verdictOfFailure(error: unknown): GoingOn | Ended {
  // What is no answer of ours, such as the page of a hotel's network, says nothing about the code; nor does a server in trouble.
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return { is: 'unreachable' };
  if (error.status === 429) {
    const { seconds } = error.params;
    return { is: 'told-to-wait', seconds: typeof seconds === 'number' ? seconds : DEFAULT_WAIT_SECONDS };
  }
  // The code of an answer that has none of ours.
  if (error.code === 'server.failed') return { is: 'unreachable' };
  return error.code === 'verification.expired' ? { is: 'expired' } : { is: 'refused', error };
}
