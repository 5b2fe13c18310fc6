import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { once } from '../../db/once.ts';
import type { Env } from '../../env.ts';
import { type AgentOptions, type Agents, isRefusedAddress, openAgents } from './agents.ts';
import { isAllowedProtocol } from './judge-url.ts';

/** What the whole of it may take, from the look-up of the name to the end of the answer, in milliseconds. */
const WITHIN_MS = 15_000;
/** The longest body that is sent, and how much of an answer is read before its connection is cut, and kept, in bytes. */
export const MOST_SENT = 262_144;
export const MOST_READ = 65_536;
export const MOST_KEPT = 2_048;
/** How often a connection that was kept open, and closed meanwhile by the other side, is replaced for one message. */
const MOST_REPLACED = 2;

/**
 * Why there is no answer. `private`: the address is none that everybody reaches. `notAllowed`: no url for us. `stopped`: whoever
 * asked wants it no more. `unreadable`: what came is no HTTP.
 */
export type PostFailure =
  | 'timeout'
  | 'stopped'
  | 'private'
  | 'notAllowed'
  | 'unknownHost'
  | 'unreachable'
  | 'tls'
  | 'reset'
  | 'tooLarge'
  | 'unreadable';

/** What came back; of the body its beginning, for people to read. */
export type Answer = { ok: true; status: number; headers: IncomingHttpHeaders; body: string } | { ok: false; error: PostFailure };

export interface Letter {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array;
  signal?: AbortSignal;
}

/** Sends one message to somebody else's server. Never throws, and nothing that it answers tells the url. */
export type Post = (letter: Letter) => Promise<Answer>;

export interface PostOptions extends AgentOptions {
  /** For tests: less time. */
  within_ms?: number;
}

/**
 * The one way out to addresses that somebody typed: https only, judged at the address that is connected to, redirects not
 * followed, bodies and time bounded. `ALLOW_PRIVATE_DESTINATIONS` lifts https and the judgement.
 */
export function createPost(env: Pick<Env, 'ALLOW_PRIVATE_DESTINATIONS'>, { within_ms = WITHIN_MS, ...options }: PostOptions = {}): Post {
  const agents = once(() => openAgents(env, options));
  return async ({ url, headers, body, signal }) => {
    const late = AbortSignal.timeout(within_ms);
    const over = signal ? AbortSignal.any([signal, late]) : late;
    try {
      if (Buffer.byteLength(body) > MOST_SENT) return { ok: false, error: 'tooLarge' };
      const to = new URL(url);
      if (!isAllowedProtocol(env, to)) return { ok: false, error: 'notAllowed' };
      const opened = await agents();
      for (let replaced = 0; ; replaced += 1) {
        const tried = await send(to, opened, { headers, body, signal: over });
        if (tried.of === 'answer') return { ok: true, ...tried.answer };
        // The other side had closed what we kept open, before or while this was written; its id stays, so twice does no harm.
        if (tried.was_kept_open && failureOf(tried.error) === 'reset' && replaced < MOST_REPLACED) continue;
        throw tried.error;
      }
    } catch (error) {
      if (late.aborted) return { ok: false, error: 'timeout' };
      return { ok: false, error: over.aborted ? 'stopped' : failureOf(error) };
    }
  };
}

type Tried =
  | { of: 'answer'; answer: { status: number; headers: IncomingHttpHeaders; body: string } }
  | { of: 'failure'; error: unknown; was_kept_open: boolean };

function send(to: URL, agents: Agents, { headers, body, signal }: Omit<Letter, 'url'>): Promise<Tried> {
  return new Promise((resolve) => {
    const [request, agent] = to.protocol === 'https:' ? [requestSecure, agents.secure] : [requestPlain, agents.plain];
    const asked = request(to, {
      method: 'POST',
      agent,
      headers: { 'user-agent': 'Claimboard', ...headers },
      ...(signal ? { signal } : {}),
    });
    let answered = false;
    asked.once('response', (response) => {
      answered = true;
      const { statusCode: status = 0, headers } = response;
      void beginningOf(response).then((body) => resolve({ of: 'answer', answer: { status, headers, body } }));
    });
    const failed = (error: unknown): void => void (answered || resolve({ of: 'failure', error, was_kept_open: asked.reusedSocket }));
    // Heard to the end: what fails when there is an answer must not end the process.
    asked.on('error', failed);
    // An answer in another protocol is neither an answer nor an error.
    asked.once('close', () => failed(null));
    asked.end(body);
  });
}

/** The status has come, and is the answer; whatever becomes of what follows, people only read it. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    // Leaving the loop ends the connection.
    for await (const piece of response) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MOST_READ) break;
    }
  } catch {}
  return Buffer.concat(pieces).subarray(0, MOST_KEPT).toString();
}

const FAILURES: readonly [RegExp, PostFailure][] = [
  [/^(ENOTFOUND|EAI_\w+|ENODATA|ETIMEOUT|ESERVFAIL)$/, 'unknownHost'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'reset'],
  [/^(HPE_\w+|ERR_HTTP_\w+)$/, 'unreadable'],
  [/^(ERR_INVALID_\w+|ERR_UNESCAPED_CHARACTERS)$/, 'notAllowed'],
  [/CERT|^(ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO|HOSTNAME_MISMATCH|INVALID_CA)/, 'tls'],
];

/** Only the kind of failure is told: the texts of errors name hosts. */
function failureOf(error: unknown): PostFailure {
  if (isRefusedAddress(error)) return 'private';
  if (error === null) return 'unreadable';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FAILURES.find(([codes]) => codes.test(code))?.[1] ?? 'unreachable';
}
