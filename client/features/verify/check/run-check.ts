import { serverNow } from '../../../store/clock.ts';
import type { PendingVerification } from '../../../store/pending-verifications.ts';
import { askOnce, type Ended, type GoingOn } from './ask-once.ts';

/** Section 9 of the specification: together ten minutes. */
const POLL_EVERY_MS = 5_000;
export const MOST_ATTEMPTS = 120;

/** `timed-out-away`: the server could not be reached at the last attempt. */
export type CheckEnd = Ended | { is: 'timed-out' | 'timed-out-away' };

export interface CheckRun {
  pending: PendingVerification & { verification_token: string };
  /** The number of the first attempt: a check that goes on after a reload has made some before. */
  first: number;
  onAttempt: (attempt: number) => void;
  onGoingOn: (verdict: GoingOn) => void;
  signal: AbortSignal;
}

/** Asks until the code is found, refused or expired, or the attempts are used up; null when it was aborted. */
export async function runCheck({ pending, first, onAttempt, onGoingOn, signal }: CheckRun): Promise<CheckEnd | null> {
  const { characterName, verification_token, expiresAt } = pending;
  const left = (): number => Date.parse(expiresAt) - serverNow().getTime();
  let last: GoingOn | null = null;
  for (let attempt = first; attempt <= MOST_ATTEMPTS; attempt++) {
    if (left() <= 0) return { is: 'expired' };
    onAttempt(attempt);
    const begun = Date.now();
    const verdict = await askOnce(characterName, verification_token, signal);
    if (signal.aborted) return null;
    if (!isGoingOn(verdict)) return verdict;
    onGoingOn(verdict);
    last = verdict;
    // Never longer: this computer's clock may be set back while the answer is under way.
    const wait = Math.min(begun + POLL_EVERY_MS - Date.now(), POLL_EVERY_MS);
    const told = verdict.is === 'told-to-wait' ? verdict.seconds * 1_000 : 0;
    await pause(Math.min(Math.max(wait, told, 0), left()), signal);
    if (signal.aborted) return null;
  }
  return { is: last?.is === 'unreachable' ? 'timed-out-away' : 'timed-out' };
}

const isGoingOn = (verdict: GoingOn | Ended): verdict is GoingOn =>
  verdict.is === 'pending' || verdict.is === 'unreachable' || verdict.is === 'told-to-wait';

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
