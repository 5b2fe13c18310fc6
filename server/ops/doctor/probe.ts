import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** How long an answer may take, in milliseconds. */
export const ANSWER_TIMEOUT_MS = 8_000;
/** Read at most this many characters of an answer: our page and its settings are some thousand. */
const MAX_READ = 200_000;

export type PublicAnswer =
  | {
      status: number;
      headers: Record<string, string>;
      body: string;
      asked_at: number;
      answered_at: number;
    }
  | { failure: 'unknownName' | 'unreachable' | 'silent' | 'certificate'; reason: string };

const CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME|ISSUER/;

export function connectionFailure(error: unknown): Extract<PublicAnswer, { failure: string }> {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { failure: 'unknownName', reason };
  if (code === 'ETIMEDOUT') return { failure: 'silent', reason };
  return { failure: CERTIFICATE.test(code) ? 'certificate' : 'unreachable', reason };
}

/** A request like a browser's, over a connection of its own. */
export const openRequest = (url: string, path: string, headers: Record<string, string> = {}) =>
  (url.startsWith('https:') ? requestHttps : requestHttp)(new URL(path, url), {
    agent: false,
    headers: { 'User-Agent': 'Claimboard-doctor', ...headers },
  });

/** Requests a page of the public address. A redirect is not followed: it is the answer. */
export function requestPublic(
  url: string,
  path: string,
  timeout_ms = ANSWER_TIMEOUT_MS,
): Promise<PublicAnswer> {
  const asked_at = Date.now();
  return new Promise((resolve) => {
    const request = openRequest(url, path);
    const end = (answer: PublicAnswer): void => {
      clearTimeout(timer);
      resolve(answer);
      request.destroy();
    };
    const timer = setTimeout(() => end({ failure: 'silent', reason: '' }), timeout_ms);
    request.on('error', (error) => end(connectionFailure(error)));
    request.on('response', (response) => {
      const answered_at = Date.now();
      readText(response).then(
        (body) =>
          end({
            status: response.statusCode ?? 0,
            headers: headersOf(response),
            body,
            asked_at,
            answered_at,
          }),
        (error: unknown) => end(connectionFailure(error)),
      );
    });
    request.end();
  });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

async function readText(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.length > MAX_READ) break;
  }
  return text;
}
