import type { ZodType } from 'zod';

export interface Question {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api`. */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

/** `heard`: whether the answer says what happened. A failure or a broken connection leaves that open. */
export type Answer =
  | { isAnswered: true; status: number; body: unknown; etag: string }
  | { isAnswered: false; why: string };

/** Give up on an answer after this long, in milliseconds, and report it as hanging. */
const PATIENCE_MS = 60_000;

/** Asks a server over HTTP, as any client would. */
export async function ask(
  url: string,
  { method = 'GET', path, headers = {}, body, signal }: Question,
): Promise<Answer> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    });
    const data: unknown = await answer.json();
    if (answer.status >= 500)
      return { isAnswered: false, why: `${answer.status} ${JSON.stringify(data)}` };
    return {
      isAnswered: true,
      status: answer.status,
      body: data,
      etag: answer.headers.get('etag') ?? '',
    };
  } catch (error) {
    return {
      isAnswered: false,
      why: error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error),
    };
  }
}

/** @throws Error when the answer is not of this shape */
export async function askFor<T>(shape: ZodType<T>, url: string, question: Question): Promise<T> {
  const answer = await ask(url, question);
  if (!answer.isAnswered) throw new Error(`${question.path}: ${answer.why}`);
  const parsed = shape.safeParse(answer.body);
  if (!parsed.success)
    throw new Error(`${question.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return parsed.data;
}
