import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** How long an answer may take, in milliseconds. */
export const ANSWER_WITHIN_MS = 8_000;
/** What is read of an answer, in characters: our page and its settings are some thousand. */
const READ_MOST = 200_000;

/** What was answered; or why nothing was. */
export type PublicAnswer =
  | { status: number; headers: Record<string, string>; body: string; asked_at: number; answered_at: number }
  | { failure: 'unknownName' | 'unreachable' | 'silent' | 'certificate'; reason: string };

const CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME|ISSUER/;

/** Why nothing was answered, by what the system says. */
export function failureOf(error: unknown): Extract<PublicAnswer, { failure: string }> {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { failure: 'unknownName', reason };
  if (code === 'ETIMEDOUT') return { failure: 'silent', reason };
  return { failure: CERTIFICATE.test(code) ? 'certificate' : 'unreachable', reason };
}

/** As whoever opens the board, over a connection of its own. */
export const begin = (url: string, path: string, headers: Record<string, string> = {}) =>
  (url.startsWith('https:') ? requestHttps : requestHttp)(new URL(path, url), {
    agent: false,
    headers: { 'User-Agent': 'Claimboard-doctor', ...headers },
  });

/** Asks the board's public address, and nowhere else: where it leads on to another one, that is what is answered. */
export function askPublic(url: string, path: string, within_ms = ANSWER_WITHIN_MS): Promise<PublicAnswer> {
  const asked_at = Date.now();
  return new Promise((resolve) => {
    const asked = begin(url, path);
    const end = (answer: PublicAnswer): void => {
      clearTimeout(timer);
      resolve(answer);
      asked.destroy();
    };
    const timer = setTimeout(() => end({ failure: 'silent', reason: '' }), within_ms);
    asked.on('error', (error) => end(failureOf(error)));
    asked.on('response', (answer) => {
      const answered_at = Date.now();
      textOf(answer).then(
        (body) => end({ status: answer.statusCode ?? 0, headers: headersOf(answer), body, asked_at, answered_at }),
        (error: unknown) => end(failureOf(error)),
      );
    });
    asked.end();
  });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8');
  let text = '';
  for await (const some of answer) {
    text += String(some);
    if (text.length > READ_MOST) break;
  }
  return text;
}
