import { useEffect, useEffectEvent, useState } from 'react';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { VerificationAnswer } from '../../../../shared/schemas/character.ts';
import { checkVerification } from '../../../api/calls.ts';
import { ApiError } from '../../../api/request.ts';
import { tabStore } from '../../../lib/storage.ts';
import { hasReason } from '../../../lib/words/error-text.ts';
import { serverNow } from '../../../state/clock.ts';
import {
  type PendingVerification,
  rememberVerification,
} from '../../../state/pending-verifications.ts';

/** Section 9 of the specification: together ten minutes. */
const POLL_EVERY_MS = 5_000;
export const MAX_ATTEMPTS = 120;

/** How many minutes an attempt and those after it take, at least 1. */
export const minutesLeft = (attempt: number): number =>
  Math.max(1, Math.ceil(((MAX_ATTEMPTS + 1 - attempt) * POLL_EVERY_MS) / 60_000));

/** `timed-out-unreachable`: the server could not be reached at the last attempt. */
export type CheckEnd = FinalVerdict | { kind: 'timed-out' | 'timed-out-unreachable' };

interface CheckRun {
  pending: PendingVerification & { verification_token: string };
  /** The number of the first attempt: greater than 1 for a check that continues after a reload. */
  firstAttempt: number;
  onAttempt: (attempt: number) => void;
  onPending: (verdict: PendingVerdict) => void;
  signal: AbortSignal;
}

/** Asks while the page is in view, until the code is found, refused or expired, or the attempts are used up; null when it was aborted. */
async function runCheck({
  pending,
  firstAttempt,
  onAttempt,
  onPending,
  signal,
}: CheckRun): Promise<CheckEnd | null> {
  const { characterName, verification_token, expiresAt } = pending;
  const remainingMs = (): number => Date.parse(expiresAt) - serverNow().getTime();
  let last: PendingVerdict | null = null;
  for (let attempt = firstAttempt; attempt <= MAX_ATTEMPTS; attempt++) {
    // While hidden: don't ask, don't use up an attempt. Continue as soon as it is visible.
    await untilVisible(signal);
    if (signal.aborted) return null;
    if (remainingMs() <= 0) return { kind: 'expired' };
    onAttempt(attempt);
    const askedAt = Date.now();
    const verdict = await askOnce(characterName, verification_token, signal);
    if (signal.aborted) return null;
    if (!isPending(verdict)) return verdict;
    onPending(verdict);
    last = verdict;
    // Never longer: this computer's clock may be set back while the answer is under way.
    const waitMs = Math.min(askedAt + POLL_EVERY_MS - Date.now(), POLL_EVERY_MS);
    const minimumWaitMs = verdict.kind === 'rate-limited' ? verdict.seconds * 1_000 : 0;
    await pause(Math.min(Math.max(waitMs, minimumWaitMs, 0), remainingMs()), signal);
    if (signal.aborted) return null;
  }
  return { kind: last?.kind === 'unreachable' ? 'timed-out-unreachable' : 'timed-out' };
}

const isPending = (verdict: PendingVerdict | FinalVerdict): verdict is PendingVerdict =>
  verdict.kind === 'pending' || verdict.kind === 'unreachable' || verdict.kind === 'rate-limited';

function untilVisible(signal: AbortSignal): Promise<void> {
  if (document.visibilityState !== 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    const resolveIfVisible = (): void => {
      if (document.visibilityState === 'hidden' && !signal.aborted) return;
      document.removeEventListener('visibilitychange', resolveIfVisible);
      resolve();
    };
    document.addEventListener('visibilitychange', resolveIfVisible);
    signal.addEventListener('abort', resolveIfVisible, { once: true });
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

type PendingReason = Exclude<VerificationAnswer['reason'], undefined | 'verification.notFound'>;

/** The check continues: not found yet, the server can't be reached, or it asks to wait. `text`: what an answer without a code of ours says. */
export type PendingVerdict =
  | {
      kind: 'pending';
      /** As the game spells it, once the server has looked it up. */
      characterName: string;
      /** null: the answer gives none of ours. */
      reason: PendingReason | null;
      waitSeconds: number | null;
      checkedAt: string | null;
      nextCheckAt: string | null;
      text: string;
    }
  | { kind: 'unreachable'; text: string }
  | { kind: 'rate-limited'; seconds: number; text: string };

/**
 * `key`: this browser gets it. `verified`: the character is, but the key is not for this browser. `expired`, `unknown`
 * (the server does not know our code any more) and `refused` end the check without.
 */
type FinalVerdict =
  | { kind: 'key'; characterName: string; memberType: string; accessKey: string }
  | { kind: 'verified'; characterName: string }
  | { kind: 'expired' }
  | { kind: 'unknown' }
  | { kind: 'refused'; error: ApiError };

const DEFAULT_WAIT_SECONDS = 60;

async function askOnce(
  characterName: string,
  verification_token: string,
  signal: AbortSignal,
): Promise<PendingVerdict | FinalVerdict> {
  try {
    return verdictOf(await checkVerification(characterName, verification_token, signal));
  } catch (error) {
    return verdictOfFailure(error);
  }
}

function verdictOf(answer: VerificationAnswer & { text: string }): PendingVerdict | FinalVerdict {
  const {
    verified,
    characterName,
    memberType = 'member',
    accessKey,
    reason,
    waitSeconds = null,
    checkedAt = null,
    nextCheckAt = null,
    text,
  } = answer;
  if (verified)
    return accessKey
      ? { kind: 'key', characterName, memberType, accessKey }
      : { kind: 'verified', characterName };
  if (reason === 'verification.notFound') return { kind: 'unknown' };
  return {
    kind: 'pending',
    characterName,
    reason: reason ?? null,
    waitSeconds,
    checkedAt,
    nextCheckAt,
    text,
  };
}

function verdictOfFailure(error: unknown): PendingVerdict | FinalVerdict {
  if (!(error instanceof ApiError)) return { kind: 'unreachable', text: '' };
  const text = error.code === '' ? error.message : '';
  // Foreign pages (a captive portal) and server errors say nothing about the code.
  if (error.status === 0 || error.status >= 500 || !hasReason(error))
    return { kind: 'unreachable', text };
  if (error.status === 429) {
    const { seconds } = error.params;
    return {
      kind: 'rate-limited',
      seconds: typeof seconds === 'number' ? seconds : DEFAULT_WAIT_SECONDS,
      text,
    };
  }
  return error.code === 'verification.expired' ? { kind: 'expired' } : { kind: 'refused', error };
}

export interface Check {
  /** The attempt that is being made; null while none is. */
  attempt: number | null;
  last: PendingVerdict | null;
  end: CheckEnd | null;
  start: () => void;
  stop: () => void;
}

/** The check of one code; a component that uses it is keyed by the code. */
export function useCheck(pending: PendingVerification, onEnd: (end: CheckEnd) => void): Check {
  const { verification_token } = pending;
  const [attempt, setAttempt] = useState(() => savedAttempt(pending.code));
  const [last, setLast] = useState<PendingVerdict | null>(null);
  const [end, setEnd] = useState<CheckEnd | null>(null);
  const isRunning = attempt !== null;

  const stop = (): void => {
    clearAttempt();
    setAttempt(null);
    setLast(null);
  };

  const run = useEffectEvent(async (token: string, signal: AbortSignal) => {
    const ended = await runCheck({
      pending: { ...pending, verification_token: token },
      firstAttempt: Math.min(attempt ?? 1, MAX_ATTEMPTS),
      onAttempt: (number) => {
        saveAttempt({ code: pending.code, attempt: number });
        setAttempt(number);
      },
      onPending: (verdict) => {
        setLast(verdict);
        if (verdict.kind === 'pending') keepSpelling(pending, verdict.characterName);
      },
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

/** Keeps the code under the game's spelling of its character, if it differs only in that. */
function keepSpelling(pending: PendingVerification, characterName: string): void {
  if (
    characterName === pending.characterName ||
    nameKey(characterName) !== nameKey(pending.characterName)
  )
    return;
  rememberVerification({ ...pending, characterName });
}

/** A running check survives a reload of this tab; other tabs don't start one. */

const ATTEMPT_KEY = 'verificationCheck';

interface SavedAttempt {
  code: string;
  /** The attempt that was made last. */
  attempt: number;
}

function saveAttempt(kept: SavedAttempt): void {
  tabStore.setItem(ATTEMPT_KEY, JSON.stringify(kept));
}

export function clearAttempt(): void {
  tabStore.removeItem(ATTEMPT_KEY);
}

/** The attempt that was made last for a code, or null when no check of it runs. */
export function savedAttempt(code: string): number | null {
  try {
    const kept: Partial<SavedAttempt> | null = JSON.parse(tabStore.getItem(ATTEMPT_KEY) ?? 'null');
    return kept?.code === code && Number.isInteger(kept.attempt) ? (kept.attempt ?? null) : null;
  } catch {
    return null;
  }
}
