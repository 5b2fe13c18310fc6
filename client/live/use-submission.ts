import { useRef, useState } from 'react';
import type { ClaimRow, Submission } from '../../shared/schemas/claim.ts';
import { postClaims } from '../api/calls.ts';
import { ApiError } from '../api/request.ts';
import { refreshBoard } from './refresh.ts';

/** `unsure`: the network failed, so the claims may be stored or not; the same content sent again finds out. */
export type SubmissionState = { status: 'idle' } | { status: 'busy' } | { status: 'refused' | 'unsure'; error: unknown };

interface ClaimSubmission {
  state: SubmissionState;
  /** Answers the stored claims, or null when it was refused. */
  submit: (submission: Submission) => Promise<ClaimRow[] | null>;
  /** Asks again for an answer that was lost, by sending the same once more; as `submit`, which has to come first. */
  submitAgain: () => Promise<ClaimRow[] | null>;
  /** The content changed: what was said about the last one does not hold any more. */
  forget: () => void;
}

interface Try {
  submission: Submission;
  /** The same as a text. */
  content: string;
  idempotency_key: string;
}

/** A gateway's failure says as little about what was stored as a network's. */
const isUnsure = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 502);

/** `onRefused` hears of every refusal, before it is shown. */
export function useSubmission(onRefused?: (error: unknown) => void): ClaimSubmission {
  const [state, setState] = useState<SubmissionState>({ status: 'idle' });
  const lastTry = useRef<Try | null>(null);

  const send = async (tried: Try): Promise<ClaimRow[] | null> => {
    lastTry.current = tried;
    setState({ status: 'busy' });
    try {
      const claims = await postClaims(tried.submission, tried.idempotency_key);
      lastTry.current = null;
      refreshBoard();
      setState({ status: 'idle' });
      return claims;
    } catch (error) {
      onRefused?.(error);
      setState({ status: isUnsure(error) ? 'unsure' : 'refused', error });
      return null;
    }
  };

  const submit = (submission: Submission): Promise<ClaimRow[] | null> => {
    const content = JSON.stringify(submission);
    // The same key for the same content: a submission whose answer was lost is stored once.
    const known = lastTry.current?.content === content ? lastTry.current : null;
    return send(known ?? { submission, content, idempotency_key: newIdempotencyKey() });
  };
  const submitAgain = async (): Promise<ClaimRow[] | null> => (lastTry.current ? send(lastTry.current) : null);

  return { state, submit, submitAgain, forget: () => setState({ status: 'idle' }) };
}

/** A random key; `crypto.randomUUID` would be missing where the site is served without HTTPS, as in a LAN hall. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
