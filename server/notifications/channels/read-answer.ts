import { z } from 'zod';
import type { DestinationKind, SwitchedOff } from '../../../shared/schemas/destination.ts';
import type { Answer } from '../outbound/post.ts';

/** What is to be done about a message after an answer, or after none. */
export type Verdict =
  | { of: 'delivered' }
  /** To be tried again; where it was said when, not before so many seconds. */
  | { of: 'again'; error: string; after_s: number | null }
  /** The address is good for nothing any more. */
  | { of: 'off'; error: string; switched_off: SwitchedOff };

/** The longest that a receiver may have us wait, in seconds. */
export const MOST_ASKED_S = 3_600;

const OFF: { readonly [K in DestinationKind]: { readonly [status: number]: SwitchedOff } } = {
  webhook: { 404: 'gone', 410: 'gone' },
  discord: { 401: 'refused', 404: 'gone', 410: 'gone' },
};

/** The error is for admins: a status or the kind of failure, never an address. */
export function readAnswer(kind: DestinationKind, answer: Answer, now: Date): Verdict {
  if (!answer.ok) return { of: 'again', error: answer.error, after_s: null };
  const { status } = answer;
  if (status >= 200 && status < 300) return { of: 'delivered' };
  const error = `HTTP ${status}`;
  const switched_off = OFF[kind][status];
  return switched_off ? { of: 'off', error, switched_off } : { of: 'again', error, after_s: askedSeconds(answer, now) };
}

/** Discord says it more exactly in the body. */
const limited = z.object({ retry_after: z.number().min(0) });

function askedSeconds({ headers, body }: Extract<Answer, { ok: true }>, now: Date): number | null {
  const asked = secondsIn(headers['retry-after'], now) ?? secondsInBody(body);
  return asked === null ? null : Math.min(Math.ceil(asked), MOST_ASKED_S);
}

/** Seconds, or the date of the moment. */
function secondsIn(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1000);
}

function secondsInBody(body: string): number | null {
  try {
    return limited.safeParse(JSON.parse(body)).data?.retry_after ?? null;
  } catch {
    return null;
  }
}
