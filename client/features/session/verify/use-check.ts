import { useEffect, useEffectEvent, useState } from 'react';
import type { PendingVerification } from '../../../state/pending-verifications.ts';
import { dropAttempt, keepAttempt, keptAttempt } from './kept-attempt.ts';
import { type CheckEnd, type GoingOn, MOST_ATTEMPTS, runCheck } from './run-check.ts';

export interface Check {
  /** The attempt that is being made; null while none is. */
  attempt: number | null;
  /** What the last attempt said. */
  last: GoingOn | null;
  /** How the last check ended. */
  end: CheckEnd | null;
  start: () => void;
  stop: () => void;
}

/** The check of one code; a component that uses it is keyed by the code. */
export function useCheck(pending: PendingVerification, onEnd: (end: CheckEnd) => void): Check {
  const { verification_token } = pending;
  const [attempt, setAttempt] = useState(() => keptAttempt(pending.code));
  const [last, setLast] = useState<GoingOn | null>(null);
  const [end, setEnd] = useState<CheckEnd | null>(null);
  const isRunning = attempt !== null;

  const stop = (): void => {
    dropAttempt();
    setAttempt(null);
    setLast(null);
  };

  const run = useEffectEvent(async (token: string, signal: AbortSignal) => {
    const ended = await runCheck({
      pending: { ...pending, verification_token: token },
      first: Math.min(attempt ?? 1, MOST_ATTEMPTS),
      onAttempt: (number) => {
        keepAttempt({ code: pending.code, attempt: number });
        setAttempt(number);
      },
      onGoingOn: setLast,
      signal,
    });
    if (!ended) return;
    stop();
    setEnd(ended);
    onEnd(ended);
  });

  useEffect(() => {
    if (!isRunning || verification_token === null) return;
    const abort = new AbortController();
    void run(verification_token, abort.signal);
    return () => abort.abort();
  }, [isRunning, verification_token]);

  const start = (): void => {
    setEnd(null);
    setAttempt(1);
  };
  return { attempt, last, end, start, stop };
}
